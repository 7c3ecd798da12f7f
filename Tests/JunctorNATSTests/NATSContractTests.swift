#if NATS
  import JunctorNATS
  import JunctorTesting
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct NATSContractTests {
    @Test(arguments: BridgeContract.rules)
    func `B8 the contract holds for NATS`(rule: BridgeContract.Rule) async throws {
      let server = try await TestServer()
      let world = BridgeContract.World {
        try await server.restart()
      } connect: {
        let nats = server.connect()
        try await nats.connected()
        return nats
      }
      try await rule.check(world)
    }
  }
#endif
