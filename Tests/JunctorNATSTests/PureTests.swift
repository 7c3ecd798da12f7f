#if NATS
  import Dispatch
  import JunctorBridge
  import Synchronization
  import Testing

  @testable import JunctorNATS

  @Suite(.timeLimit(.minutes(5))) struct PureTests {
    private let lost = BridgeError(.disconnected, "Lost.", isTemporary: true)
    private let denied = BridgeError(.unauthorized, "No.")

    @Test func `B4 a connection goes up and down, and each change is told once`() {
      var link = NATSLink()
      #expect(link.state == .connecting(nil))
      #expect(!link.handle(.attempting).isNews)
      #expect(link.handle(.attemptFailed(lost)).isNews)
      #expect(!link.handle(.attempting).isNews)
      #expect(!link.handle(.attemptFailed(lost)).isNews)
      _ = link.handle(.attempting)
      #expect(link.handle(.began).isNews)
      #expect(!link.handle(.connected).isNews)
      let effects = link.handle(.disconnected(lost))
      #expect(effects.isNews && effects.losesReplies && !effects.givesUp)
      #expect(link.state == .connecting(lost))
      #expect(link.handle(.connected).isNews)
      #expect(link.state == .connected)
    }

    @Test func `B4 what is wrong from the beginning ends it, what was right once is tried again`() {
      for code in [BridgeError.Code.unauthorized, .insecure] {
        let error = BridgeError(code, "No.")
        var link = NATSLink()
        #expect(link.handle(.attemptFailed(error)).givesUp)
        #expect(link.state == .failed(error))
        #expect(!link.handle(.connected).isNews)
        #expect(!link.handle(.began).isNews)
        #expect(link.state == .failed(error))
        var other = NATSLink()
        _ = other.handle(.attempting)
        _ = other.handle(.began)
        #expect(!other.handle(.attemptFailed(error)).givesUp)
        #expect(other.state == .connecting(error))
      }
    }

    @Test func `B4 a connection lost while it is being made is not told as connected`() {
      var link = NATSLink()
      _ = link.handle(.attempting)
      // The client has it, loses it, and only then its maker goes on.
      #expect(link.handle(.disconnected(lost)).isNews)
      #expect(!link.handle(.began).isNews)
      #expect(link.state == .connecting(lost))
      #expect(link.handle(.connected).isNews)
      #expect(link.state == .connected)
    }

    @Test func `B4 a connection is told only when replies can be received`() {
      var link = NATSLink()
      _ = link.handle(.attempting)
      _ = link.handle(.disconnected(lost))
      #expect(!link.handle(.connected).isNews)
      #expect(link.state == .connecting(lost))
      #expect(link.handle(.began).isNews)
      #expect(link.state == .connected)
    }

    @Test func `B4 every frame that came was delivered or lost once a subscription is over`() {
      var tally = RouteTally()
      for _ in 0..<10 { tally.deliver() }
      tally.note(dropped: 3)
      tally.note(arrived: 20)
      // The client forgets its counts.
      tally.note(dropped: 0)
      tally.note(arrived: 0)
      #expect(tally.lost == 3)
      for _ in 0..<4 { tally.deliver() }
      tally.end()
      #expect(tally.delivered == 14 && tally.lost == 6)
      tally.note(arrived: 21)
      tally.end()
      #expect(tally.lost == 7)
      var all = RouteTally()
      for _ in 0..<5 { all.deliver() }
      all.note(arrived: 3)
      all.end()
      #expect(all.lost == 0)
    }

    private func route(
      _ jetStream: @escaping @Sendable () throws(BridgeError) -> JetStream?
    ) -> NATSRoute {
      NATSRoute(
        BridgeSubscription(subject: "s", promise: .atLeastOnce(durable: "d")),
        on: DispatchQueue(label: "work"), jetStream: jetStream, deliver: { _, _ in })
    }

    @Test func `B5 whoever waits to have caught up looks now and then, not all the time`() async {
      let looks = Mutex(0)
      let start = ContinuousClock.now
      let missing = route { () throws(BridgeError) in
        let count = looks.withLock { looks in
          looks += 1
          return looks
        }
        if count == 10 { throw NATSFailure.closed("s") }
        return nil
      }
      await #expect(throws: BridgeError.self) { try await missing.caughtUp() }
      #expect(looks.withLock { $0 } == 10)
      #expect(.now - start >= .milliseconds(9 * 20))
    }

    @Test func `B5 whoever waits to have caught up is told when that can never be`() async {
      let refused = route { () throws(BridgeError) in nil }
      refused.settle(denied)
      let error = await #expect(throws: BridgeError.self) { try await refused.caughtUp() }
      #expect(error?.code == .unauthorized)
      let over = route { [denied] () throws(BridgeError) in throw denied }
      let other = await #expect(throws: BridgeError.self) { try await over.caughtUp() }
      #expect(other?.code == .unauthorized)
    }

    @Test func `B4 a client that gives up fails the connection, unless it was told to`() {
      var link = NATSLink()
      #expect(link.handle(.ended(denied)).isNews)
      #expect(link.state == .failed(denied))
      #expect(link.handle(.closing).isNews)
      #expect(link.state == .closed)
      #expect(link.handle(.ended(denied)) == NATSLink.Effects())
      #expect(link.handle(.closing) == NATSLink.Effects())
      #expect(link.state == .closed)
    }

    @Test func `B4 an error names servers without users and passwords`() {
      let urls = ["nats://ada:motor@127.0.0.1:1", "nats://ada:motor@127.0.0.1:2"]
      let error = #expect(throws: BridgeError.self) {
        _ = try NATSClient(urls, NATSOptions(), number: 0)
      }
      #expect(error?.message.contains("127.0.0.1:2") == true, "\(String(describing: error))")
      #expect(error?.message.contains("motor") == false, "\(String(describing: error))")
    }

    @Test func `B4 a duration without an end is a long one`() {
      #expect(
        Duration.seconds(Int64.max).milliseconds.multipliedReportingOverflow(by: 1_000_000).overflow
          == false)
      #expect(Duration.seconds(Int64.min).milliseconds == 1)
      #expect(Duration.milliseconds(1_500).milliseconds == 1_500)
    }

    @Test func `B3 replies find those who wait, late ones nobody`() {
      var pending = PendingReplies<String>()
      let (a, b, c) = (
        pending.add("a", deadline: 10), pending.add("b", deadline: 5),
        pending.add("c", deadline: 10)
      )
      #expect(pending.take(a) == "a")
      #expect(pending.take(a) == nil)
      #expect(pending.takeExpired(at: 4) == [])
      #expect(pending.takeExpired(at: 5) == ["b"])
      #expect(pending.take(b) == nil)
      #expect(pending.takeAll() == ["c"])
      #expect(pending.take(c) == nil && pending.isEmpty)
    }

    @Test(arguments: [
      ("a.b", "a.b", true), ("a.*", "a.b", true), ("a.*", "a.*", true), ("a.*", "a.>", false),
      ("a.>", "a.b.c", true), ("a.>", "a.*.c", true), ("a.>", "a", false), (">", "a.>", true),
      ("a.b", "a.*", false), ("a.*", "a.b.c", false), ("a.>", "a.>", true), ("*.b", "a.b", true),
      ("*", "a.b", false),
    ])
    func `B3 a stream keeps what its subjects cover`(pattern: String, other: String, holds: Bool) {
      #expect(JetStreamNames.covers(pattern, other) == holds)
    }

    @Test func `B3 streams and consumers have legal names, different for different subjects`() {
      let subjects = [
        "junctor.a.b", "junctor.a_b", "junctor.a.*", "junctor.>", "junctor.ünï", "a",
        String(repeating: "x.", count: 500) + "y",
      ]
      let names = subjects.map(JetStreamNames.stream)
      #expect(Set(names).count == subjects.count)
      for name in names + subjects.map({ JetStreamNames.consumer(durable: "d", subject: $0) }) {
        #expect(name.utf8.count < 200)
        #expect(
          name.unicodeScalars.allSatisfy { $0.isASCII && !" .*>/\\\t".contains(Character($0)) })
      }
    }

    @Test func `B3 the attempt is read from the acknowledgement's subject, old and new`() {
      #expect(JetStreamNames.attempt("$JS.ACK.stream.consumer.3.10.11.1600000.0") == 3)
      #expect(JetStreamNames.attempt("$JS.ACK._.hash.stream.consumer.4.10.11.1600000.0.r") == 4)
      #expect(JetStreamNames.attempt("_INBOX.x") == 1)
      #expect(JetStreamNames.attempt("$JS.ACK.a.b.c.d.e.f.g") == 1)
    }

    @Test func `B4 every answer of the server's becomes an error with a code`() throws {
      func error(_ text: String) throws -> BridgeError {
        try #require(JetStreamReply(Array(text.utf8))?.error).error("s")
      }
      #expect(
        try error(
          #"{"error":{"code":503,"err_code":10077,"description":"maximum messages exceeded"}}"#
        ).code == .streamFull)
      #expect(try error(#"{"error":{"code":400,"err_code":10054}}"#).code == .tooLarge)
      let off = try error(#"{"error":{"code":503,"err_code":10076}}"#)
      #expect(off.code == .noStream && !off.isTemporary)
      let busy = try error(#"{"error":{"code":503,"err_code":10008}}"#)
      #expect(busy.code == .noStream && busy.isTemporary)
      #expect(try error(#"{"error":{}}"#).code == .refused)
      #expect(JetStreamReply(Array("no json".utf8)) == nil)
      #expect(JetStreamReply.isConfirmation(Array(#"{"stream":"s", "seq":1}"#.utf8)))
      #expect(!JetStreamReply.isConfirmation(Array(#"{"error":{}}"#.utf8)))
    }
  }
#endif
