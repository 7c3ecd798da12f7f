#if NATS
  import JunctorBridge
  import Testing

  @testable import JunctorNATS

  @Suite(.timeLimit(.minutes(5))) struct PureTests {
    private let lost = BridgeError(.disconnected, "Lost.", isTemporary: true)
    private let denied = BridgeError(.unauthorized, "No.")

    @Test func `B4 a connection goes up and down, and each change is told once`() {
      var link = NATSLink()
      #expect(link.state == .connecting(nil))
      #expect(link.handle(.attemptFailed(lost)).isNews)
      #expect(!link.handle(.attemptFailed(lost)).isNews)
      #expect(link.handle(.connected).isNews)
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
        #expect(link.state == .failed(error))
        var other = NATSLink()
        _ = other.handle(.connected)
        #expect(!other.handle(.attemptFailed(error)).givesUp)
        #expect(other.state == .connecting(error))
      }
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
