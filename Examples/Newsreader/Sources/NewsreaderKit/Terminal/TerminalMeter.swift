internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Draws the progress bar on standard error while commands wait for the feeds.
///
/// ## Concurrency
/// On the main actor.
@MainActor
final class TerminalMeter {
  private let console: Console
  private var bar: ProgressBar?

  /// Makes a meter; `nil` where standard error is no terminal.
  ///
  /// - Parameter console: where the bar is drawn.
  init?(console: Console) {
    guard isatty(2) == 1 else { return nil }
    self.console = console
    bar = ProgressBar { [weak self] in self?.draw() }
  }

  /// Wipes the bar of a file that was read.
  ///
  /// - Parameter path: the file.
  func finish(_ path: String) { bar?.finish(path) }

  private func draw() {
    // Back to the start of the line, and wipe it, before anything else is written there.
    console.write(toStandardError: "\r\u{1B}[K" + (bar?.text(width: 78) ?? ""))
  }
}
