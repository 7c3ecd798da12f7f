internal import Foundation

/// A file as the parser reads it: in pieces, looked through before they are passed on.
///
/// A document that must not be parsed ends here, before its first dangerous byte; memory never holds more than a
/// piece of the file.
///
/// ## Concurrency
/// Not `Sendable`: stays with the parse that reads it.
final class FeedStream: InputStream {
  /// The size of a piece.
  private static let pieceSize = 64 << 10

  /// Why the document is not passed on, if it is not.
  private(set) var fault: PrologScanner.Fault?
  /// How many bytes were read from the file.
  private(set) var bytesRead = 0
  /// How many bytes the file has; 0 where that cannot be said beforehand.
  let size: Int
  /// The last bytes of the file, as far as it was read.
  private(set) var tail: [UInt8] = []
  /// How many line feeds were read.
  private(set) var lineFeeds = 0
  /// How many lines the parser does not see, because only white space is on them before the first tag.
  private(set) var droppedLines = 0
  /// How many of HTML's named references were made readable.
  var rewrittenReferences: Int { rewriter.count }

  private let file: FileHandle
  private var scanner = PrologScanner()
  private var rewriter = EntityRewriter()
  private var ready: ArraySlice<UInt8> = []
  private var isAtEnd = false
  /// Whether nothing but white space was read.
  private(set) var isBlank = true
  private var failure: (any Error)?

  /// Opens a file.
  ///
  /// - Parameter path: the file.
  /// - Throws: Foundation's error if it cannot be opened, or is a folder.
  init(path: String) throws {
    let url = URL(fileURLWithPath: path)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: url.resolvingSymlinksInPath().path)
    if attributes[.type] as? FileAttributeType == .typeDirectory {
      throw CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.EISDIR)])
    }
    size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    file = try FileHandle(forReadingFrom: url)
    super.init(data: Data())
  }

  /// What part of the file was read, from 0 to 1; `nil` where the size is not known.
  var fraction: Double? { size > 0 ? min(Double(bytesRead) / Double(size), 1) : nil }

  // MARK: - InputStream

  /// Does nothing: the file is open already.
  override func open() {}

  /// Closes the file.
  override func close() { try? file.close() }

  /// Whether a read may bring something.
  override var hasBytesAvailable: Bool { !ready.isEmpty || !isAtEnd }

  /// What went wrong while reading.
  override var streamError: (any Error)? { failure }

  /// Has no buffer to lend.
  override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    length: UnsafeMutablePointer<Int>
  ) -> Bool { false }

  /// Passes on the next piece: its length, 0 at the end, -1 after a fault.
  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
    while ready.isEmpty, !isAtEnd, failure == nil, fault == nil { fill() }
    if failure != nil || fault != nil { return -1 }
    let count = min(ready.count, maxLength)
    // SAFETY: the caller promises room for `maxLength` bytes at `buffer`.
    let target = unsafe UnsafeMutableBufferPointer(start: buffer, count: count)
    _ = unsafe target.initialize(from: ready.prefix(count))
    ready = ready.dropFirst(count)
    return count
  }

  private func fill() {
    do {
      // Whoever quits need not wait for the end of a large file.
      try Task.checkCancellation()
      var piece = Array(try file.read(upToCount: Self.pieceSize) ?? Data())
      isAtEnd = piece.isEmpty
      bytesRead += piece.count
      lineFeeds += piece.count { $0 == 0x0A }
      tail = Array((tail + piece.suffix(256)).suffix(256))
      if isBlank { dropLeadingSpace(&piece) }
      if !scanner.isDone { scanner.scan(piece) }
      fault = scanner.fault
      ready = scanner.isByteOriented ? rewriter.rewrite(piece, isLast: isAtEnd)[...] : piece[...]
    } catch {
      failure = error
    }
  }

  /// White space before the XML declaration is an error that many feeds make.
  private func dropLeadingSpace(_ piece: inout [UInt8]) {
    let space = piece.prefix(while: FeedDate.isSpace)
    droppedLines += space.count { $0 == 0x0A }
    isBlank = space.count == piece.count
    piece.removeFirst(space.count)
  }
}
