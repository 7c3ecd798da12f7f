#if NATS
  import JunctorChannels
  import JunctorCore
  import JunctorNATS

  // What the articles and the doc comments on bridges show.
  private final class Shop: Sendable {
    let orders = Channel<Order>("shop.orders")

    func handle(_ order: Order) {}

    func checkTwice(_ order: Order) {}

    func open(_ order: Order) async throws {
      let nats = NATSConnection("nats://127.0.0.1:4222")
      let bridge = try Exchange.shared.bridge(
        orders, over: nats, promise: .atLeastOnce(durable: "shop"))
      try await bridge.ready()

      orders.listen(for: self) { me, order in me.handle(order) }
      try await orders.send(order)
      await bridge.close()
    }

    func shut(_ order: Order, _ nats: NATSConnection) async throws {
      let bridge = try Exchange.shared.bridge(
        orders, over: nats, promise: .atLeastOnce(durable: "shop"))
      try await bridge.ready()
      try await orders.send(order)
      await bridge.close()
    }

    func look() {
      orders.listen(for: self) { me, order in
        if RemoteMessage.current?.isRedelivered == true { me.checkTwice(order) }
      }
    }

    func connect() throws -> Bridge {
      let nats = NATSConnection("nats://127.0.0.1:4222")
      let bridge = try Exchange.shared.bridge(orders, over: nats)
      return bridge
    }

    func connectSafely() -> NATSConnection {
      var options = NATSOptions()
      options.credentials = .file("/etc/shop/shop.creds")
      options.encryption = NATSOptions.Encryption()
      options.encryption?.authorities = "/etc/shop/ca.pem"
      let nats = NATSConnection("tls://queue.example.com:4222", options: options)
      return nats
    }

    func connectToThree(_ options: NATSOptions) -> NATSConnection {
      var options = options
      options.storage.replicas = 3
      let nats = NATSConnection(
        "nats://a.example.com:4222", "nats://b.example.com:4222", "nats://c.example.com:4222",
        options: options)
      return nats
    }
  }
#endif
