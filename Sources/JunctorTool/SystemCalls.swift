#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Reads from a descriptor; a name of its own where a method or a property hides the system's.
///
/// - Parameters:
///   - descriptor: what is read from.
///   - bytes: has room for so many bytes.
///   - count: how many bytes at most.
/// - Returns: how many were read; 0 at the end, -1 if it failed.
func systemRead(
  _ descriptor: Int32, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int
) -> Int {
  unsafe read(descriptor, bytes, count)
}

/// Writes to a descriptor; a name of its own where a method hides the system's.
///
/// - Parameters:
///   - descriptor: what is written to.
///   - bytes: the bytes.
///   - count: how many there are.
/// - Returns: how many were written; -1 if it failed.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
