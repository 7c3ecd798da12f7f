/// One sentence about a misuse: what cannot be done, why, and what to do instead.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct Diagnostic: Sendable, Hashable {
  /// What kind of misuse this is. Codes are compared; texts are read.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name, in the form `mechanism.misuse`.
    public let rawValue: String

    /// Makes a code of one's own.
    ///
    /// - Parameter rawValue: the name, in the form `mechanism.misuse`.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The code's name.
    public var description: String { rawValue }
  }

  /// What kind of misuse this is.
  public let code: Code

  /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
  public let message: String

  /// The places that belong to it, the most telling one first.
  public let sites: [SourceSite]

  /// Puts a diagnostic together.
  ///
  /// - Parameters:
  ///   - code: what kind of misuse this is.
  ///   - message: the sentence.
  ///   - sites: the places that belong to it, the most telling one first.
  public init(_ code: Code, _ message: String, sites: [SourceSite] = []) {
    self.code = code
    self.message = message
    self.sites = sites
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The sentence, followed by its places.
  public var description: String {
    guard !sites.isEmpty else { return message }
    return message + " [" + sites.map(\.description).joined(separator: ", ") + "]"
  }
}
