#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Reading and writing of whole files by descriptor.
enum Descriptor {
  /// Writes everything; `false` where the system refuses.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      // SAFETY: the pointer is used within the call only, for the bytes that are there.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe systemWrite(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
      }
      if count < 0 {
        guard errno == EINTR else { return false }
      } else {
        done += count
      }
    }
    return true
  }

  /// Reads what is there, at most 64 KiB; empty at the end, `nil` where the system refuses.
  static func readSome(_ descriptor: Int32) -> [UInt8]? {
    while true {
      var failed = false
      let part = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
        // SAFETY: at most as many bytes are read as there is room for, and so many are declared to be there.
        let count = unsafe systemRead(descriptor, buffer.baseAddress, buffer.count)
        failed = count < 0
        filled = max(0, count)
      }
      guard failed else { return part }
      guard errno == EINTR else { return nil }
    }
  }

  /// Reads to the end; `nil` where the system refuses.
  static func readAll(_ descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      guard let part = readSome(descriptor) else { return nil }
      if part.isEmpty { return bytes }
      bytes += part
    }
  }
}

private func systemWrite(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
  unsafe write(descriptor, bytes, count)
}

private func systemRead(
  _ descriptor: Int32, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int
) -> Int {
  unsafe read(descriptor, bytes, count)
}

/// What the system says of an error's number.
package enum SystemMessage {
  /// The text for a number, without a full stop, the first letter as in a sentence's middle.
  package static func text(_ code: Int32) -> String {
    // SAFETY: the text is copied at once; on the platforms in use it is a constant for every known number.
    let text = unsafe String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
