internal import Foundation
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// How the terminal is set, and how it was.
///
/// ## Concurrency
/// May be used from any thread: the main actor and the queue of signals both do.
final class TerminalMode: Sendable {
  private struct State {
    var original: termios?
  }

  private let state = Mutex(State())

  /// Notes how the terminal is set, and takes it: no echo, no line editing, a screen of its own.
  func enter() {
    let isEntered = state.withLock { state -> Bool in
      guard state.original == nil else { return false }
      var mode = termios()
      guard unsafe tcgetattr(0, &mode) == 0 else { return false }
      state.original = mode
      unsafe cfmakeraw(&mode)
      return unsafe tcsetattr(0, TCSADRAIN, &mode) == 0
    }
    // Alternate screen, no cursor, no automatic line breaks.
    if isEntered { write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J") }
  }

  /// Sets the terminal as it was.
  func leave() {
    let original = state.withLock { state -> termios? in
      defer { state.original = nil }
      return state.original
    }
    guard var original else { return }
    write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    unsafe tcsetattr(0, TCSADRAIN, &original)
  }

  /// Writes text as it is.
  ///
  /// - Parameter text: text and control sequences.
  /// - Complexity: O(length).
  func write(_ text: String) {
    // When nobody is there any more, reading says so.
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}

/// The keys that standard input brings.
///
/// ## Concurrency
/// May be used from any thread; one reads at a time.
final class TerminalInput: Sendable {
  private let state = Mutex(KeyDecoder())

  /// Reads what is there.
  ///
  /// - Returns: the keys; `nil` when nobody is there any more.
  /// - Complexity: O(length).
  func read() -> [Key]? {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      // SAFETY: pointer and count are those of the buffer, which outlives the call.
      unsafe Foundation.read(0, buffer.baseAddress, buffer.count)
    }
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    guard count > 0 else { return nil }
    var (keys, isWaiting) = state.withLock { decoder in
      (decoder.decode(bytes.prefix(count)), decoder.isWaiting)
    }
    // The rest of a sequence follows at once; what nothing follows is the escape key.
    if isWaiting, !isMoreComing() { keys += state.withLock { $0.finish() } }
    return keys
  }

  private func isMoreComing() -> Bool {
    var request = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, 30) > 0
  }
}
