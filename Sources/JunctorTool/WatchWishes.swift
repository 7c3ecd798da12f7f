#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What somebody wants of a program that waits for descriptors, as bytes to be read there.
///
/// ## Concurrency
/// May be used from any thread.
final class WatchWishes: Sendable {
  /// What is wanted.
  enum Wish: UInt8 {
    /// The program is to end.
    case end
    /// It is to stop for a while.
    case suspend
    /// The terminal has another size.
    case resize
  }

  /// Readable when there is a wish.
  let descriptor: Int32
  private let writing: Int32

  /// Makes the pipe; `nil` where there are no descriptors left.
  init?() {
    var ends: [Int32] = [0, 0]
    // SAFETY: the array has room for the two descriptors.
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    writing = ends[1]
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  /// Makes a wish.
  func wish(_ wish: Wish) {
    var byte = wish.rawValue
    // SAFETY: one byte is written, which is this function's own. A full pipe has wishes enough in it.
    _ = unsafe systemWrite(writing, &byte, 1)
  }

  /// The wishes that have come since.
  func wishes() -> [Wish] {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, filled in
      // SAFETY: at most as many bytes are read as there is room for, and so many are declared to be there.
      filled = unsafe max(0, systemRead(descriptor, buffer.baseAddress, buffer.count))
    }
    return bytes.compactMap(Wish.init(rawValue:))
  }
}
