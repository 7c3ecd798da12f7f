import JunctorTool
import Synchronization

/// Runs the tool with a line of words, and gives back its status and what it wrote.
func run(_ words: String...) async -> (status: Int32, output: String, errors: String) {
  await run(words)
}

/// Runs the tool with a list of words, and gives back its status and what it wrote.
func run(_ words: [String]) async -> (status: Int32, output: String, errors: String) {
  let texts = Mutex((output: "", errors: ""))
  let environment = ToolEnvironment { text in
    texts.withLock { $0.output += text }
  } complain: { text in
    texts.withLock { $0.errors += text + "\n" }
  }
  let status = await Tool.run(words, in: environment)
  return texts.withLock { (status, $0.output, $0.errors) }
}
