#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Several changes to a store that are made together: after a crash either all are there or none.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct RestorationBatch: Sendable {
  /// One change.
  enum Change: Sendable {
    /// An entry takes the place of the one under its key.
    case put(RestorationEntry)
    /// The entry under a key goes.
    case remove(String)
  }

  /// The changes, in the order in which they are made.
  private(set) var changes: [Change] = []

  /// Makes a batch without changes.
  public init() {}

  /// Whether there are no changes in it.
  public var isEmpty: Bool { changes.isEmpty }

  /// Adds: a model is put away under a key.
  ///
  /// - Parameters:
  ///   - model: the model; `nil` is put away as such.
  ///   - key: what it is found by.
  ///   - version: the version of the model's form; raise it when an older program could not read the new form.
  /// - Throws: ``RestorationError`` with the code `cannotEncode`.
  /// - Complexity: O(size of the model).
  public mutating func put<Model: Encodable>(
    _ model: Model?, forKey key: String, version: Int
  ) throws(RestorationError) {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      // In an array, because not every encoder takes a bare number or string.
      let text = try model.map { String(decoding: try encoder.encode([$0]), as: UTF8.self) }
      changes.append(.put(RestorationEntry(key: key, version: version, model: text)))
    } catch {
      throw RestorationError(
        code: .cannotEncode,
        message: "Can't put away '\(key)': the model cannot be encoded (\(error))."
          + " Hand over a model whose parts can all be encoded.")
    }
  }

  /// Adds: what is stored under a key is removed.
  ///
  /// - Parameter key: what it was found by.
  /// - Complexity: O(1).
  public mutating func remove(_ key: String) { changes.append(.remove(key)) }

  /// Makes the changes.
  func apply(to contents: inout RestorationContents) {
    for change in changes {
      switch change {
      case .remove(let key): contents.entries[key] = nil
      case .put(let entry):
        // What a newer program wrote is not lost to an older one.
        if let old = contents.entries[entry.key], old.version > entry.version,
          let line = try? old.line()
        {
          contents.keepAside(line)
        }
        contents.entries[entry.key] = entry
      }
    }
  }
}
