/// Where a command's text goes and where its input comes from.
///
/// ## Concurrency
/// A value; the closures may be called from any thread.
package struct ToolEnvironment: Sendable {
  /// Prints to standard output; nothing is added.
  package var print: @Sendable (String) -> Void
  /// Prints a line to standard error.
  package var complain: @Sendable (String) -> Void

  /// Puts an environment together.
  package init(
    print: @escaping @Sendable (String) -> Void, complain: @escaping @Sendable (String) -> Void
  ) {
    self.print = print
    self.complain = complain
  }
}
