internal import Foundation

/// Puts what went wrong with a file into one line.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct FeedProblem {
  /// The file, as it was named.
  let path: String

  /// Says why a file could not be opened or read.
  ///
  /// - Parameter error: Foundation's error.
  /// - Complexity: O(1).
  func unreadable(_ error: any Error) -> NewsreaderError {
    switch Self.posixCode(of: error) {
    case .EISDIR: line("it is a folder", "Name a feed file in it.")
    case .ENOENT, .ENOTDIR: line("there is no such file", "Check the path.")
    case .EACCES, .EPERM: line("you may not read it", "Change its permissions.")
    case let code?: line("reading failed (\(POSIXError(code).localizedDescription))", "Try again.")
    case nil: line("reading failed (\(error.localizedDescription))", "Try again.")
    }
  }

  /// Says why a stream did not let a document through.
  ///
  /// - Parameter fault: what the stream found.
  /// - Complexity: O(1).
  func refused(_ fault: PrologScanner.Fault) -> NewsreaderError {
    switch fault {
    case .entity(let place): declaresEntities(at: place)
    case .encoding(let name, let place):
      line(
        "the encoding '\(CleanText.line(name))' is not read here", "Save it as UTF-8.", at: place)
    }
  }

  /// Says what is wrong with a document that was parsed; `nil` if nothing is.
  ///
  /// - Parameters:
  ///   - verdict: what the validator heard.
  ///   - stream: what the parser read.
  ///   - kept: how many articles came before the fault.
  /// - Complexity: O(1).
  func judged(
    _ verdict: FeedValidator.Verdict, stream: FeedStream, kept: Int
  ) -> NewsreaderError? {
    if verdict.declaresEntities { return declaresEntities(at: FilePlace(line: 1, column: 1)) }
    if case .unknown(let root)? = verdict.kind {
      return line(
        "it is XML but no feed, its first element is <\(CleanText.line(root))>",
        Self.nameAFeed, at: verdict.rootPlace)
    }
    if stream.isBlank { return line("the file is empty", "Fetch the feed again.") }
    let end = FilePlace(line: stream.lineFeeds + 1, column: 1)
    guard case (let code, var place)? = verdict.fault else {
      return verdict.kind == nil ? line("it is no XML", Self.nameAFeed, at: end) : nil
    }
    place.line += stream.droppedLines
    let cure =
      kept > 0
      ? "Fetch it again; \(kept == 1 ? "the article" : "the \(kept) articles") before that \(kept == 1 ? "is" : "are") here."
      : Self.again
    if isCutOff(verdict, stream, place, code) {
      let inside = verdict.open.last.map { " inside <\(CleanText.line($0))>" } ?? ""
      return line("the file ends\(inside)", cure, at: place)
    }
    if let encoding = Self.encodingFault(code) {
      return line(encoding, "Save it as UTF-8.", at: place)
    }
    if verdict.kind == nil { return line("it is no XML", Self.nameAFeed, at: place) }
    return line(Self.cause(code, open: verdict.open.last), cure, at: place)
  }

  private static let again = "Fetch it again."
  private static let nameAFeed = "Name an RSS, Atom or OPML file."

  private func declaresEntities(at place: FilePlace) -> NewsreaderError {
    line(
      "it declares entities, which can grow without bounds", "Remove its document type.", at: place)
  }

  private func line(_ cause: String, _ cure: String, at place: FilePlace? = nil) -> NewsreaderError
  {
    let name = CleanText.line(path) + (place.map { ":\($0)" } ?? "")
    return NewsreaderError(code: .feed, message: "Can't read '\(name)': \(cause). \(cure)")
  }
}

// MARK: - What the parser's numbers mean

extension FeedProblem {
  /// Whether the file ends before its first element does, and the fault is that.
  private func isCutOff(
    _ verdict: FeedValidator.Verdict, _ stream: FeedStream, _ place: FilePlace, _ code: Int
  ) -> Bool {
    guard let root = verdict.open.first, Self.encodingFault(code) == nil, code > 2,
      place.line > stream.lineFeeds
    else { return false }
    let tail = String(decoding: stream.tail.filter { $0 != 0 }, as: UTF8.self)
    return !tail.contains("</\(root)")
  }

  private static func encodingFault(_ code: Int) -> String? {
    switch code {
    case 31, 32: "its encoding is not known here"
    case 9, 81, 6_000...6_099: "its text is not in the encoding that it declares"
    default: nil
    }
  }

  private static func cause(_ code: Int, open: String?) -> String {
    switch code {
    case 1, 2: return "one element, comment or attribute in it is too large"
    case 26, 27: return "it uses an entity that nothing declares"
    case 68: return "a '<' or '&' stands there that begins nothing"
    case 76, 77:
      return "an end tag does not match" + (open.map { " <\(CleanText.line($0))>" } ?? "")
    case 5, 86: return "there is more after its last element"
    default: return "its markup is broken (parser error \(code))"
    }
  }

  private static func posixCode(of error: any Error) -> POSIXErrorCode? {
    if let error = error as? POSIXError { return error.code }
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return POSIXErrorCode(rawValue: Int32(error.code)) }
    if let underlying = error.userInfo[NSUnderlyingErrorKey] as? any Error {
      return posixCode(of: underlying)
    }
    switch error.code {
    case CocoaError.fileReadNoSuchFile.rawValue, CocoaError.fileNoSuchFile.rawValue: return .ENOENT
    case CocoaError.fileReadNoPermission.rawValue: return .EACCES
    default: return nil
    }
  }
}
