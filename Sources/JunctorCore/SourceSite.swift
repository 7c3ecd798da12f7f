/// The place in the source where something was registered, posted or asked for.
///
/// Public functions take it as two defaulted parameters, `fileID: StaticString = #fileID` and `line: UInt = #line`,
/// because the compiler fills these in at the caller only when they are direct default arguments.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct SourceSite: Sendable, Hashable {
  // A `StaticString` takes 17 bytes; what is needed of it takes 12.
  private let start: UInt
  private let length: UInt32

  /// The line, counted from 1.
  public let line: UInt32

  /// Notes a place.
  ///
  /// - Parameters:
  ///   - fileID: module and file, as `#fileID` gives them.
  ///   - line: the line, as `#line` gives it.
  /// - Complexity: O(1), no allocation.
  @inlinable
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(_fileID: fileID, _line: line)
  }

  @usableFromInline
  init(_fileID fileID: StaticString, _line line: UInt) {
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

extension SourceSite: CustomStringConvertible {
  /// The place as `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}
