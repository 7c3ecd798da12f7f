internal import Foundation

/// Standard output and standard error, line by line.
///
/// ## Concurrency
/// On the main actor.
@MainActor
final class Console {
  /// Whether nobody takes what is printed any more.
  private(set) var isBroken = false

  private var pending = Data()

  /// Prints one line, or several.
  ///
  /// - Parameter text: the text, without its last line end.
  func print(_ text: String) {
    pending.append(contentsOf: text.utf8)
    pending.append(0x0A)
    if pending.count > 64 << 10 { flush() }
  }

  /// Writes out what was printed.
  func flush() {
    guard !pending.isEmpty, !isBroken else { return }
    do {
      try FileHandle.standardOutput.write(contentsOf: pending)
    } catch {
      isBroken = true
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Prints one line to standard error, after everything that was printed before.
  ///
  /// - Parameter line: the line.
  func complain(_ line: String) {
    flush()
    write(toStandardError: line + "\n")
  }

  /// Writes to standard error as it is.
  ///
  /// - Parameter text: the text.
  func write(toStandardError text: String) {
    // There is nowhere left to say that this failed.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
