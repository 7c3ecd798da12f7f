#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A call of the operating system that failed.
struct FileFailure: Error {
  /// What was tried.
  let action: String
  /// The error's number.
  let number: Int32

  /// Notes the failure of the last call.
  init(_ action: String) {
    self.action = action
    number = errno
  }

  /// The error in words.
  var reason: String {
    // SAFETY: `strerror` returns a valid string or null; it is copied at once.
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }
}

/// An open file, closed at the end of its life.
struct FileDescriptor: ~Copyable {
  private let number: Int32

  /// Opens a file.
  init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileFailure) {
    var found: Int32
    // SAFETY: here and below, paths are passed as strings, which are valid C strings for the call.
    repeat { found = unsafe open(path, flags | O_CLOEXEC, mode) } while found < 0 && errno == EINTR
    guard found >= 0 else { throw FileFailure("open") }
    number = found
  }

  deinit { close(number) }

  /// Waits for the lock on this file, for this process and this descriptor alone.
  func lock() throws(FileFailure) {
    while flock(number, LOCK_EX) != 0 {
      guard errno == EINTR else { throw FileFailure("lock") }
    }
  }

  /// All that is in the file.
  func readAll() throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    let chunk = 65_536
    while true {
      var buffer = [UInt8](repeating: 0, count: chunk)
      // SAFETY: the buffer is valid for the call and as long as stated.
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(number, $0.baseAddress, chunk)
      }
      if count < 0 {
        guard errno == EINTR else { throw FileFailure("read") }
      } else if count == 0 {
        return bytes
      } else {
        bytes += buffer[..<count]
      }
    }
  }

  /// Writes all of it.
  func writeAll(_ bytes: [UInt8]) throws(FileFailure) {
    var written = 0
    while written < bytes.count {
      // SAFETY: the buffer is valid for the call; what remains of it is as long as stated.
      let count = unsafe bytes[written...].withUnsafeBytes {
        unsafe write(number, $0.baseAddress, $0.count)
      }
      if count < 0 {
        guard errno == EINTR else { throw FileFailure("write") }
      } else {
        written += count
      }
    }
  }

  /// Waits until what was written is on the disk.
  func synchronize() throws(FileFailure) {
    while fsync(number) != 0 {
      guard errno == EINTR else { throw FileFailure("sync") }
    }
  }
}

/// Files as a whole.
enum FileAccess {
  /// What is in a file; `nil` if there is none.
  static func contents(of path: String) throws(FileFailure) -> [UInt8]? {
    do throws(FileFailure) {
      return try FileDescriptor(path, O_RDONLY).readAll()
    } catch {
      guard error.number == ENOENT else { throw error }
      return nil
    }
  }

  /// Replaces a file in one step: whoever opens it finds the old contents or the new, also after a crash.
  static func replace(_ path: String, with bytes: [UInt8]) throws(FileFailure) {
    let draft = path + ".new"
    do throws(FileFailure) {
      let file = try FileDescriptor(draft, O_WRONLY | O_CREAT | O_TRUNC)
      try file.writeAll(bytes)
      try file.synchronize()
      guard unsafe rename(draft, path) == 0 else { throw FileFailure("rename") }
    } catch {
      unsafe unlink(draft)
      throw error
    }
    // The new name is on the disk once its folder is. Not every file system can do that, and the contents are safe.
    if let folder = try? FileDescriptor(folder(of: path), O_RDONLY) { try? folder.synchronize() }
  }

  /// Moves a file to a name beside it that is not taken. Returns that name.
  static func moveAside(_ path: String) throws(FileFailure) -> String {
    var number = 1
    while unsafe access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
    let name = "\(path).damaged-\(number)"
    guard unsafe rename(path, name) == 0 else { throw FileFailure("rename") }
    return name
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
