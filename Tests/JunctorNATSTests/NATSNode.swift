#if NATS
  import JunctorChannels
  import JunctorNATS

  struct Order: Codable, Sendable, Hashable {
    var number: Int
    var item = "tea"
  }

  /// What stands for a process: an exchange and a connection of its own.
  struct NATSNode: Sendable {
    let exchange = Exchange(label: "node")
    let nats: NATSConnection

    var orders: Channel<Order> { Channel("shop.orders", in: exchange) }

    func bridge(
      _ promise: BridgePromise = .atMostOnce, _ change: (inout BridgeOptions) -> Void = { _ in }
    ) throws(BridgeError) -> Bridge {
      var options = BridgeOptions()
      change(&options)
      return try exchange.bridge(orders, over: nats, promise: promise, options: options)
    }

    /// Publishes a frame as somebody who is no bridge might.
    func publish(_ text: [UInt8], headers: [String: String], kept: Bool) async -> BridgeError? {
      await withCheckedContinuation { continuation in
        nats.publish(
          BridgeFrame(subject: "junctor.shop.orders", headers: headers, payload: text),
          kept ? .atLeastOnce(durable: "x") : .atMostOnce, isAwaited: true
        ) { continuation.resume(returning: $0) }
      }
    }
  }
#endif
