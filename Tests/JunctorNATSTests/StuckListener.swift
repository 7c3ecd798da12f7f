#if NATS
  import Dispatch
  import JunctorBridge
  import JunctorChannels
  import JunctorCore
  import JunctorNATS
  import Synchronization

  /// A listener of orders that stands still with the first one until it is let go.
  final class StuckListener: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let subscription: Subscription

    init(to orders: Channel<Order>) {
      let isOpen = Mutex(false)
      subscription = orders.listen { [gate] _ in
        if !isOpen.withLock({ $0 }) {
          gate.wait()
          isOpen.withLock { $0 = true }
        }
      }
    }

    /// Lets it go on.
    func goOn() { gate.signal() }

    /// Ends it.
    func cancel() { subscription.cancel() }
  }

  extension NATSNode {
    /// A connected bridge that takes any number of orders, each as a message of its own.
    func eagerBridge() async throws -> Bridge {
      let bridge = try bridge {
        $0.batch = 1
        $0.buffer = 200_000
      }
      try await nats.connected()
      return bridge
    }
  }
#endif
