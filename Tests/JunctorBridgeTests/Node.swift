import JunctorBridge
import JunctorChannels
import JunctorTesting

struct Order: Codable, Sendable, Hashable {
  var number: Int
  var item = "tea"
}

/// What stands for a process: an exchange and a connection of its own.
struct Node: Sendable {
  let exchange: Exchange
  let engine: MemoryEngine

  init(_ server: MemoryServer, _ label: String = "node") {
    exchange = Exchange(label: label)
    engine = MemoryEngine(server)
  }

  var orders: Channel<Order> { Channel("shop.orders", in: exchange) }

  func bridge(
    _ promise: BridgePromise = .atMostOnce, _ change: (inout BridgeOptions) -> Void = { _ in }
  ) throws(BridgeError) -> Bridge {
    var options = BridgeOptions()
    change(&options)
    return try exchange.bridge(orders, over: engine, promise: promise, options: options)
  }
}

extension Bridge {
  /// Whether the counters agree with each other: what was posted went one way or another.
  var isBalanced: Bool {
    let status = status
    let settled = status.confirmed + status.refused + status.dropped + UInt64(status.pending)
    return status.inFlight > 0 ? settled <= status.posted : settled == status.posted
  }
}
