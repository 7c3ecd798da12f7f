internal import Synchronization

extension SourceSite {
  /// Names of files that came from outside, kept for good because a site holds an address only.
  private struct Names {
    /// What is kept at most, in bytes; a reader of foreign records must not fill the memory.
    static let capacity = 4 << 20

    var addresses: [String: UInt] = [:]
    var size = 0
  }

  private static let names = Mutex(Names())

  /// Notes a place that was read from a record rather than given by the compiler.
  ///
  /// Equal names share their bytes, which stay for good: at most 4 MiB of them, after which the name is left empty.
  ///
  /// - Parameters:
  ///   - fileID: module and file, as `Module/File.swift`.
  ///   - line: the line.
  /// - Complexity: O(length).
  package init(interning fileID: String, line: UInt32) {
    let count = fileID.utf8.count
    let address: UInt? = Self.names.withLock { names in
      if let known = names.addresses[fileID] { return known }
      // A name's cost is its bytes here, its copy as the key, and the entry itself.
      let size = 2 * count + 64
      guard count > 0, names.size + size <= Names.capacity else { return nil }
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
      // SAFETY: as many bytes are written as were allocated, and they are never freed.
      _ = unsafe bytes.initialize(from: fileID.utf8)
      let address = UInt(bitPattern: bytes.baseAddress)
      names.addresses[fileID] = address
      names.size += size
      return address
    }
    self.init(start: address ?? 0, length: address == nil ? 0 : UInt32(clamping: count), line: line)
  }
}
