internal import JunctorCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What was found under a key.
///
/// ## Concurrency
/// A value; as `Sendable` as the model.
public enum RestoredModel<Model> {
  /// Nothing that can be used.
  case nothing

  /// What was put away, which may have been `nil`.
  case model(Model?)
}

extension RestoredModel: Sendable where Model: Sendable {}
extension RestoredModel: Equatable where Model: Equatable {}

extension RestorationStore {
  /// Reads a model.
  ///
  /// What cannot be decoded is reported, kept aside and taken out, so that it is in nobody's way. What is of a version that
  /// the program does not know is reported and stays.
  ///
  /// - Parameters:
  ///   - type: the model's type.
  ///   - key: what it is found by.
  ///   - version: the version that the program knows.
  ///   - upgrade: makes a model of what an older version stored, given as JSON; `nil` where it knows no way.
  /// - Returns: the model, or nothing.
  /// - Throws: ``RestorationError`` where the file itself cannot be read.
  /// - Complexity: O(size of the file).
  public func model<Model: Decodable>(
    _ type: Model.Type, forKey key: String, version: Int,
    upgrade: (_ json: Data, _ version: Int) throws -> Model? = { _, _ in nil }
  ) throws(RestorationError) -> RestoredModel<Model> {
    guard let entry = try contents().entries[key] else { return .nothing }
    guard entry.version <= version else {
      report(key, entry.version, version, "a newer program wrote it", "Use that program")
      return .nothing
    }
    guard let text = entry.model else { return .model(nil) }
    do {
      if entry.version == version {
        return .model(try JSONDecoder().decode([Model].self, from: Data(text.utf8)).first)
      }
      // Without the brackets of the array that it was encoded in.
      let json = Data(text.utf8.dropFirst().dropLast())
      if let model = try upgrade(json, entry.version) { return .model(model) }
    } catch {
      try setAside(entry, because: "\(error)")
      return .nothing
    }
    report(key, entry.version, version, "no upgrade from it is known", "Pass 'upgrade'")
    return .nothing
  }

  private func report(_ key: String, _ found: Int, _ known: Int, _ cause: String, _ cure: String) {
    Junctor.report(
      Diagnostic(
        .restorationVersionUnknown,
        "Can't bring back '\(key)': it has version \(found), this program knows \(known), and"
          + " \(cause). \(cure); it was left alone."))
  }

  private func setAside(
    _ entry: RestorationEntry, because cause: String
  ) throws(RestorationError) {
    try change { contents in
      // Another process may have put a new one there meanwhile.
      guard contents.entries[entry.key] == entry, let line = try? entry.line() else { return }
      contents.entries[entry.key] = nil
      contents.keepAside(line)
    }
    Junctor.report(
      Diagnostic(
        .restorationEntryUndecodable,
        "Can't bring back '\(entry.key)': it cannot be decoded (\(cause)). It was kept aside; raise"
          + " the version when the model's form changes."))
  }
}
