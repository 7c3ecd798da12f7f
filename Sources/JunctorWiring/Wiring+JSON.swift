public import JunctorCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Wiring {
  /// Renders the wiring as JSON, in the versioned form that `init(json:)` reads back.
  ///
  /// Keys are sorted, so that equal wirings give equal text.
  ///
  /// - Returns: the record, ended by a newline.
  /// - Complexity: O(nodes + edges).
  public func json() -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(WiringRecord(self)), as: UTF8.self) + "\n"
    } catch {
      // Integers, strings and dictionaries of them always have a JSON form.
      preconditionFailure("Can't encode the wiring: \(error). Report this as a fault of Junctor.")
    }
  }

  /// Reads a wiring from the JSON that `json()` writes.
  ///
  /// - Parameters:
  ///   - json: the record.
  ///   - name: what messages call it, usually the file's path.
  /// - Throws: `WiringError` with the code `truncated`, `foreign`, `newerVersion` or `damaged`.
  /// - Complexity: O(length).
  public init(json: String, name: String = "wiring") throws(WiringError) {
    try self.init(json: Array(json.utf8), name: name)
  }

  /// Reads a wiring from the bytes of the JSON that `json()` writes.
  ///
  /// - Parameters:
  ///   - json: the record, as UTF-8.
  ///   - name: what messages call it, usually the file's path.
  /// - Throws: `WiringError` with the code `truncated`, `foreign`, `newerVersion` or `damaged`.
  /// - Complexity: O(length).
  public init(json: [UInt8], name: String = "wiring") throws(WiringError) {
    let shown = DisplayText.line(name, limit: 200)
    let data = Data(json)
    let header: WiringRecord.Header
    do {
      header = try JSONDecoder().decode(WiringRecord.Header.self, from: data)
    } catch {
      throw JSONShape(json).isCutShort ? .truncated(shown) : .foreign(shown, "it is no JSON object")
    }
    guard header.format == WiringRecord.format, let version = header.version else {
      throw .foreign(shown, "it is JSON, but not a wiring")
    }
    guard version <= WiringRecord.version else { throw .newer(shown, version) }
    guard version >= 1 else { throw .damaged(shown, "its version is \(version)") }

    let record: WiringRecord
    do {
      record = try JSONDecoder().decode(WiringRecord.self, from: data)
    } catch {
      throw .damaged(shown, DecodingFailure.words(error))
    }
    switch record.wiring() {
    case .success(let wiring): self = wiring
    case .failure(let misfit): throw .damaged(shown, misfit.words)
    }
  }
}

/// Puts what a decoder says into a few words.
private enum DecodingFailure {
  static func words(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it can't be decoded" }
    switch error {
    case .keyNotFound(let key, let context): return "'\(key.stringValue)' is missing\(at(context))"
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      return "a value has the wrong type\(at(context))"
    @unknown default: return "it can't be decoded"
    }
  }

  private static func at(_ context: DecodingError.Context) -> String {
    guard !context.codingPath.isEmpty else { return "" }
    let path = context.codingPath.map { key in
      key.intValue.map { "[\($0)]" } ?? ".\(DisplayText.line(key.stringValue))"
    }
    return " at '\(path.joined().drop { $0 == "." })'"
  }
}

extension WiringError {
  fileprivate static func truncated(_ name: String) -> WiringError {
    WiringError(
      .truncated,
      "Can't read '\(name)': it ends before the record is complete. Write the file again, or copy all of it."
    )
  }

  fileprivate static func foreign(_ name: String, _ cause: String) -> WiringError {
    WiringError(
      .foreign,
      "Can't read '\(name)': \(cause). Give a file that Wiring.json() or '--wiring FILE.json' wrote."
    )
  }

  fileprivate static func newer(_ name: String, _ version: Int) -> WiringError {
    WiringError(
      .newerVersion,
      "Can't read '\(name)': it has version \(version), and this Junctor reads up to version \(WiringRecord.version). Use a newer Junctor."
    )
  }

  fileprivate static func damaged(_ name: String, _ cause: String) -> WiringError {
    WiringError(.damaged, "Can't read '\(name)': \(cause). Write the file again.")
  }
}
