/// Where a command's text goes and where its input comes from.
///
/// ## Concurrency
/// A value; the closures may be called from any thread.
package struct ToolEnvironment: Sendable {
  /// Prints to standard output; nothing is added.
  package var print: @Sendable (String) -> Void
  /// Prints a line to standard error.
  package var complain: @Sendable (String) -> Void
  /// The descriptors of the terminal that may be drawn on; `nil` where the output is none.
  package var terminal: Terminal?
  /// Whether colours are wanted on it.
  package var isColoured: Bool

  /// The two sides of a terminal.
  package struct Terminal: Sendable {
    /// Where keys come from.
    package var input: Int32
    /// Where lines go.
    package var output: Int32

    /// Names the two sides.
    package init(input: Int32, output: Int32) {
      self.input = input
      self.output = output
    }
  }

  /// Puts an environment together.
  package init(
    print: @escaping @Sendable (String) -> Void, complain: @escaping @Sendable (String) -> Void,
    terminal: Terminal? = nil, isColoured: Bool = false
  ) {
    self.print = print
    self.complain = complain
    self.terminal = terminal
    self.isColoured = isColoured
  }
}
