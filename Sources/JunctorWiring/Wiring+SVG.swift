public import JunctorCore

extension Wiring {
  /// Renders the wiring as a picture, with Graphviz's program `dot`.
  ///
  /// ## Concurrency
  /// Blocks the calling thread until the program has ended, at most for the time limit; a program that takes longer is
  /// ended.
  ///
  /// - Parameters:
  ///   - theme: the colours.
  ///   - program: the path of `dot`; `nil` looks for it in the folders of the environment's `PATH`.
  ///   - timeLimit: how long it may take.
  /// - Returns: the picture as SVG.
  /// - Throws: `WiringError` with the code `graphvizMissing`, `graphvizFailed` or `graphvizTimedOut`.
  /// - Complexity: that of Graphviz's layout, more than O((nodes + edges)²) for dense graphs.
  public func svg(
    theme: WiringTheme = .light, program: String? = nil, timeLimit: Duration = .seconds(60)
  ) throws(WiringError) -> String {
    guard let path = program ?? ChildProgram.find("dot") else {
      throw WiringError(
        .graphvizMissing,
        "Can't draw 'wiring': Graphviz's program 'dot' is not in the PATH. Install Graphviz ('apt-get install graphviz' or 'brew install graphviz'), or write a .dot or .mmd file."
      )
    }
    let outcome = ChildProgram(path: path, arguments: ["-Tsvg"])
      .run(input: Array(dot(theme: theme).utf8), timeLimit: timeLimit)
    return try Self.picture(outcome, program: path, timeLimit: timeLimit)
  }

  /// Turns the way in which the program ended into a picture or an error.
  static func picture(
    _ outcome: ChildProgram.Outcome, program: String, timeLimit: Duration
  ) throws(WiringError) -> String {
    let shown = DisplayText.line(program, limit: 200)
    switch outcome {
    case .notStarted(let cause):
      throw WiringError(
        .graphvizMissing,
        "Can't start '\(shown)': \(cause). Install Graphviz, or write a .dot or .mmd file.",
        cause: cause)
    case .timedOut:
      throw WiringError(
        .graphvizTimedOut,
        "Can't draw 'wiring': '\(shown)' took longer than \(timeLimit.brief). Draw a part of it ('neighbourhood(of:)'), or write a .dot file."
      )
    case .ended(let status, let output, let complaint):
      let text = String(decoding: output, as: UTF8.self)
      guard status == 0, text.contains("</svg>") else {
        let said = DisplayText.line(
          String(decoding: complaint.prefix(4096), as: UTF8.self), limit: 300)
        throw WiringError(
          .graphvizFailed,
          "Can't draw 'wiring': '\(shown)' ended with status \(status). Write a .dot file and look at what it says.",
          cause: said)
      }
      return text
    }
  }
}
