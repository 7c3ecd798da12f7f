internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file that is replaced as a whole: whoever reads it, and whoever finds it after a crash, finds the old or the new.
///
/// The new content goes to a file beside it, is forced to the disk, and takes the old one's name. That file is locked
/// meanwhile, so it also makes processes take turns; since its name is always the same, a crash leaves at most one.
///
/// ## Concurrency
/// A value; the lock is between processes and between threads.
struct AtomicFile {
  /// Where the file lies.
  let path: String

  /// What the file holds; `nil` if it is not there.
  ///
  /// - Throws: `FileFailure`, when it is there but cannot be read.
  /// - Complexity: O(size of the file).
  func read() throws(FileFailure) -> Data? {
    guard let mode = Self.mode(of: path) else {
      if errno == ENOENT { return nil }
      throw Self.failure(errno)
    }
    guard mode & S_IFMT == S_IFREG else { throw .notRegular }
    // The administrator may read what nobody is meant to; the mode says what is meant.
    guard mode & 0o444 != 0 else { throw .notPermitted }
    guard let file = FileHandle(forReadingAtPath: path) else { throw Self.failure(errno) }
    do {
      return try file.readToEnd() ?? Data()
    } catch {
      throw .system(error.localizedDescription)
    }
  }

  /// What speaks against replacing the file; `nil` if nothing does.
  ///
  /// - Complexity: O(1).
  func obstacle() -> FileFailure? {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard let mode = Self.mode(of: path) else {
      guard let folderMode = Self.mode(of: folder), folderMode & S_IFMT == S_IFDIR else {
        return .noFolder
      }
      return unsafe access(folder, W_OK) == 0 ? nil : .notPermitted
    }
    guard mode & S_IFMT == S_IFREG else { return .notRegular }
    // Replacing needs no right on the file itself: what it says is respected all the same.
    guard mode & 0o222 != 0, unsafe access(path, W_OK) == 0 else { return .readOnly }
    return unsafe access(folder, W_OK) == 0 ? nil : .notPermitted
  }

  /// Replaces what the file holds.
  ///
  /// - Parameter change: makes the new content from the old; called while other processes wait.
  /// - Throws: `FileFailure`; the file is then as it was.
  /// - Complexity: O(size of the file).
  func replace(_ change: (Data?) throws(FileFailure) -> Data) throws(FileFailure) {
    if let obstacle = obstacle() { throw obstacle }
    let draft = try lockedDraft()
    defer { close(draft) }
    do throws(FileFailure) {
      let data = try change(try read())
      try Self.write(data, to: draft)
      if let mode = Self.mode(of: path) { fchmod(draft, mode & 0o777) }
      guard fsync(draft) == 0 else { throw Self.failure(errno) }
      guard unsafe rename(draftPath, path) == 0 else { throw Self.failure(errno) }
    } catch {
      // Emptied rather than removed: a process that waits for the lock holds this very file.
      ftruncate(draft, 0)
      throw error
    }
    syncFolder()
  }

  private var draftPath: String { path + ".new" }

  /// Opens and locks the file beside this one.
  private func lockedDraft() throws(FileFailure) -> Int32 {
    while true {
      let draft = unsafe open(draftPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard draft >= 0 else { throw Self.failure(errno) }
      while flock(draft, LOCK_EX) != 0 {
        guard errno == EINTR else {
          let code = errno
          close(draft)
          throw Self.failure(code)
        }
      }
      // Whoever held the lock before may have given the file its final name meanwhile.
      if Self.identity(of: draft) == Self.identity(of: draftPath), ftruncate(draft, 0) == 0 {
        return draft
      }
      close(draft)
    }
  }

  private func syncFolder() {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

// MARK: - The system

extension AtomicFile {
  private struct Identity: Equatable {
    let device: UInt64
    let node: UInt64
  }

  private static func write(_ data: Data, to descriptor: Int32) throws(FileFailure) {
    let bytes = Array(data)
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes[done...].withUnsafeBytes { piece in
        // SAFETY: the pointer and the count are those of the piece, which outlives the call.
        unsafe Foundation.write(descriptor, piece.baseAddress, piece.count)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw failure(errno) }
      done += written
    }
  }

  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode : nil
  }

  private static func identity(of path: String) -> Identity? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
  }

  private static func identity(of descriptor: Int32) -> Identity? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
  }

  private static func failure(_ code: Int32) -> FileFailure {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .full
    case EACCES, EPERM: .notPermitted
    case EROFS: .readOnly
    case ENOENT, ENOTDIR: .noFolder
    case EISDIR, ELOOP: .notRegular
    default:
      .system(
        POSIXErrorCode(rawValue: code).map { POSIXError($0).localizedDescription } ?? "\(code)")
    }
  }
}
