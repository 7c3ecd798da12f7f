#if NATS
  import JunctorChannels
  import JunctorCore
  import JunctorNATS
  import JunctorTesting
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct NATSClusterTests {
    @Test
    func `B4 of three servers the leader is killed in the middle, and nothing accepted is lost`()
      async throws
    {
      let cluster = try await TestCluster()
      let (node, other) = (cluster.node(), cluster.node())
      let count = 10_000
      let seen = Seen(count)
      let subscription = other.orders.listen { seen.add($0.number) }
      // Until the three have found each other, some of what is asked for fails and is tried again.
      let (receiver, bridge) = try Junctor.withDiagnostics({ _ in }) {
        (
          try other.bridge(.atLeastOnce(durable: "b")) { $0.redeliverAfter = .seconds(2) },
          try node.bridge(.atLeastOnce(durable: "a")) { $0.direction = .outgoing }
        )
      }
      try await receiver.ready()
      async let accepted = node.orders.sendEach(0..<count, tasks: 256)
      await seen.wait(for: count / 3)
      let leader = try #require(
        try await cluster.leader(of: "junctor.shop.orders", node.nats), "nobody leads")
      cluster.servers[leader]?.kill()
      #expect(try await accepted == count)
      await seen.wait(for: count)
      await seen.expectEachOnce(bridge, receiver)
      subscription.cancel()
    }
  }
#endif
