import JunctorTool
import Testing

@Suite struct BridgeCommandTests {
  #if !NATS
    @Test(arguments: [
      ["listen", "nats://x", "a"], ["post", "nats://x", "a", "1"], ["bench", "nats://x"],
    ])
    func `W5 without the trait, what needs it says so and is a wrong call`(words: [String]) async {
      let environment = ToolEnvironment { _ in
      } complain: { text in
        #expect(text.contains("lacks the trait 'NATS'"))
        #expect(text.hasPrefix("Can't run 'junctor \(words[0])'"))
      }
      #expect(await Tool.run(words, in: environment) == 2)
    }
  #else
    @Test func `W5 a name that is no subject is a wrong call`() async {
      let result = await run("listen", "nats://127.0.0.1:1", "a..b")
      #expect(result.status == 2)
      #expect(result.errors.hasPrefix("Can't bridge the pattern 'a..b'"))
    }

    @Test func `W5 a server that is not there is said, and ends the command`() async {
      let result = await run("post", "nats://127.0.0.1:1", "a", "1")
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("Can't reach 'nats://127.0.0.1:1'"))
    }
  #endif

  @Test(arguments: ["listen", "post", "bench"])
  func `W5 the bridge's commands have a help of their own`(name: String) async {
    let result = await run(name, "--help")
    #expect(result.status == 0)
    #expect(result.output.contains("Usage: junctor \(name) [OPTION …] URL"))
    #expect(result.errors == "")
  }

  @Test func `W5 numbers that are none are a wrong call`() async {
    let result = await run("bench", "nats://127.0.0.1:1", "--messages", "many")
    #expect(result.status == 2)
    #expect(result.errors.contains("'many' is no number"))
  }
}
