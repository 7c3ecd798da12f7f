#if NATS
  internal import CJunctorNATS
  internal import Dispatch

  /// A subscription of the C client.
  ///
  /// ## Concurrency
  /// May be used from any thread, also after it has ended. Frees the client's subscription with its last reference,
  /// elsewhere: whoever calls a method holds one, so none of them can meet memory that was freed.
  final class NATSSubscription: Sendable {
    private let address: UInt

    /// Takes over what the client made.
    init(_ pointer: OpaquePointer) { address = UInt(bitPattern: pointer) }

    deinit {
      let address = address
      // Not from within the client's own call-back, which may be where the last reference goes.
      DispatchQueue.global().async {
        // SAFETY: nobody refers to the subscription any longer; it is freed here, once.
        guard let route = unsafe OpaquePointer(bitPattern: address) else { return }
        unsafe junctor_nats_release(route)
      }
    }

    // SAFETY (all below): the address is that of a subscription that is freed in `deinit` only.
    private var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

    /// Ends it after what has arrived was delivered, or after so many milliseconds. May take as long as the network does.
    func drain(_ timeout: Int64) {
      guard let pointer = unsafe pointer else { return }
      unsafe junctor_nats_drain(pointer, timeout)
    }

    /// How many messages it lost because they came faster than they were taken; 0 once it has ended.
    var dropped: UInt64 {
      guard let pointer = unsafe pointer else { return 0 }
      return unsafe junctor_nats_dropped(pointer)
    }

    /// How many messages have come for it, lost or not, and whether or not they wait; 0 once it has ended.
    var arrived: UInt64 {
      guard let pointer = unsafe pointer else { return 0 }
      return unsafe junctor_nats_arrived(pointer)
    }
  }
#endif
