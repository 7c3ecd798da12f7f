/// The place in the source where something was registered, posted or asked for.
///
/// Public functions take it as two defaulted parameters, `fileID: StaticString = #fileID` and `line: UInt = #line`,
/// because the compiler fills these in at the caller only when they are direct default arguments.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct SourceSite: Sendable {
  // A `StaticString` takes 17 bytes; what is needed of it takes 12.
  /// The address of the name's bytes, which live as long as the process; 0 for no name.
  @usableFromInline let start: UInt
  /// How many bytes the name has.
  @usableFromInline let length: UInt32

  /// The line, counted from 1.
  public let line: UInt32

  /// Notes a place.
  ///
  /// - Parameters:
  ///   - fileID: module and file, as `#fileID` gives them.
  ///   - line: the line, as `#line` gives it.
  /// - Complexity: O(1), no allocation.
  @inlinable
  @inline(__always)
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    // SAFETY: the address of a static string's bytes is only kept as a number here; see `fileID`.
    if fileID.hasPointerRepresentation {
      start = unsafe UInt(bitPattern: fileID.utf8Start)
      length = UInt32(clamping: fileID.utf8CodeUnitCount)
    } else {
      start = 0
      length = 0
    }
    self.line = UInt32(clamping: line)
  }

  /// Puts a place together from its parts.
  init(start: UInt, length: UInt32, line: UInt32) {
    self.start = start
    self.length = length
    self.line = line
  }

  /// Module and file, as `Module/File.swift`.
  ///
  /// - Complexity: O(length).
  public var fileID: String {
    // SAFETY: `start` came from a `StaticString`, whose bytes live as long as the process and are valid UTF-8.
    guard let bytes = unsafe UnsafePointer<UInt8>(bitPattern: start) else { return "" }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: bytes, count: Int(length)), as: UTF8.self)
  }
}

extension SourceSite: Hashable {
  /// Whether both are the same line of the same file, by name.
  ///
  /// One file's name may lie at several addresses.
  ///
  /// - Complexity: O(length) where the addresses differ, O(1) otherwise.
  public static func == (left: SourceSite, right: SourceSite) -> Bool {
    guard left.line == right.line, left.length == right.length else { return false }
    return left.start == right.start || left.fileID == right.fileID
  }

  /// Feeds the line and the name's length; the name itself may lie at several addresses.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(length)
  }
}

extension SourceSite: CustomStringConvertible {
  /// The place as `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}
