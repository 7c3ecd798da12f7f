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
      async let accepted = NATSFaultTests().send(0..<count, on: node.orders, tasks: 256)
      await seen.wait(for: count / 3)
      let leader = try #require(
        try await cluster.leader(of: "junctor.shop.orders", node.nats), "nobody leads")
      cluster.servers[leader]?.kill()
      #expect(try await accepted == count)
      await seen.wait(for: count)
      await bridge.close()
      await receiver.close()
      subscription.cancel()
      let (out, into) = (bridge.status, receiver.status)
      print(
        "cluster: leader \(leader) killed; accepted \(out.confirmed) resent \(out.resent) refused "
          + "\(out.refused) delivered \(into.delivered) redelivered \(into.redelivered) "
          + "passed over \(into.duplicates)")
      #expect(out.confirmed == UInt64(count) && out.refused == 0)
      #expect(seen.missing == 0)
      #expect(seen.doubled == 0, "a listener saw a message twice")
    }
  }
#endif
