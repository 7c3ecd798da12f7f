internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Reads lines from a file, a pipe or a terminal.
///
/// ## Concurrency
/// Not `Sendable`: stays where it was made.
struct LineReader: ~Copyable {
  private let descriptor: Int32
  private let isOwned: Bool
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  /// Reads from standard input.
  init() {
    descriptor = 0
    isOwned = false
  }

  /// Reads from a file.
  ///
  /// - Parameter path: the file.
  /// - Throws: `NewsreaderError`, when it cannot be opened.
  init(path: String) throws(NewsreaderError) {
    // SAFETY: the string lives through the call.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    isOwned = true
    if descriptor < 0 {
      throw NewsreaderError(
        code: .usage,
        message:
          "Can't read '\(CleanText.line(path))': \(SystemMessage.current). Name a file of commands."
      )
    }
  }

  deinit { if isOwned { close(descriptor) } }

  /// Whether the next line is there without waiting for it.
  var isReady: Bool {
    if isAtEnd || buffer[start...].contains(0x0A) { return true }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, 0) != 0
  }

  /// The next line without its end, `nil` after the last one. What is no UTF-8 is replaced.
  ///
  /// - Throws: `NewsreaderError`, when reading fails.
  /// - Complexity: O(length).
  mutating func next() throws(NewsreaderError) -> String? {
    while true {
      if let end = buffer[start...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return text(buffer[start..<end])
      }
      if isAtEnd {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return text(buffer[start...])
      }
      try fill()
    }
  }

  private func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
  }

  private mutating func fill() throws(NewsreaderError) {
    buffer.removeFirst(start)
    start = 0
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    let count = unsafe piece.withUnsafeMutableBytes { bytes in
      // SAFETY: pointer and count are those of the buffer, which outlives the call.
      unsafe read(descriptor, bytes.baseAddress, bytes.count)
    }
    if count < 0, errno == EINTR { return }
    if count < 0 {
      throw NewsreaderError(
        code: .usage,
        message: "Can't read 'commands': \(SystemMessage.current). Name a file of commands.")
    }
    isAtEnd = count == 0
    buffer += piece.prefix(count)
  }
}

/// What the system says of the last call that failed.
///
/// ## Concurrency
/// Of the calling thread.
enum SystemMessage {
  /// The message for this thread's `errno`, in lower case.
  static var current: String { message(errno) }

  /// The message for an error number.
  ///
  /// - Parameter code: the number.
  /// - Complexity: O(1).
  static func message(_ code: Int32) -> String {
    // SAFETY: the system returns a string that lives at least until the next call on this thread.
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
