import JunctorBridge
import JunctorChannels
import Testing

@Suite(.timeLimit(.minutes(5))) struct SubjectTests {
  @Test func `B2 a subject is prefix, dot and name, and back`() throws {
    let subject = try BridgeSubject(prefix: "app.v1", channel: "account.loggedIn")
    #expect(subject.text == "app.v1.account.loggedIn")
    #expect(subject.channelName(of: "app.v1.account.loggedIn") == "account.loggedIn")
    #expect(subject.channelName(of: "app.v2.account.loggedIn") == nil)
    #expect(subject.channelName(of: "app.v1.") == nil)
    #expect(try BridgeSubject(prefix: "", channel: "a").channelName(of: "a") == "a")
  }

  @Test(arguments: [
    "", "a b", "a..b", ".a", "a.", "a\tb", "a\nb", "*", "a.*", "a.>", ">", "a\u{7f}",
    String(repeating: "x", count: 2_000),
  ])
  func `B2 a name that is no subject is refused by name`(name: String) throws {
    let error = #expect(throws: BridgeError.self) {
      _ = try BridgeSubject(prefix: "p", channel: name)
    }
    #expect(error?.code == .invalidName)
    #expect(error?.message.hasPrefix("Can't bridge '") == true)
  }

  @Test(arguments: ["a*", "a>b", "ünï.cödé", "A-1_b"])
  func `B2 what is no wildcard stands for itself`(name: String) throws {
    #expect(try BridgeSubject(prefix: "p", channel: name).text == "p.\(name)")
  }

  @Test(arguments: ["$SYS", "_INBOX.x"])
  func `B2 without a prefix the server's own names are refused`(name: String) throws {
    #expect(throws: BridgeError.self) { _ = try BridgeSubject(prefix: "", channel: name) }
    #expect(throws: Never.self) { _ = try BridgeSubject(prefix: "p", channel: name) }
  }

  @Test(arguments: ["", " ", "a..b", "*", "a.>"])
  func `B2 a prefix that is no subject is refused`(prefix: String) {
    guard !prefix.isEmpty else { return }
    #expect(throws: BridgeError.self) { _ = try BridgeSubject(prefix: prefix, channel: "a") }
  }

  @Test func `B2 patterns are the server's, and '>' stands at the end only`() throws {
    for text in ["a.*", "a.>", ">", "*.b", "*"] {
      #expect(try BridgeSubject(prefix: "p", pattern: ChannelPattern(text)).text == "p.\(text)")
    }
    for text in ["a.>.b", "", "a..b", "a b"] {
      #expect(throws: BridgeError.self) {
        _ = try BridgeSubject(prefix: "p", pattern: ChannelPattern(text))
      }
    }
  }
}
