/// Why the store could not be read or written. What was stored before is still there.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct RestorationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it was. Codes are compared; texts are read.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String { case cannotRead, cannotWrite, cannotEncode, newerFormat }
    private let kind: Kind

    /// The file, or the lock beside it, cannot be read.
    public static let cannotRead = Code(kind: .cannotRead)
    /// The file, or the lock beside it, cannot be written.
    public static let cannotWrite = Code(kind: .cannotWrite)
    /// The model cannot be encoded.
    public static let cannotEncode = Code(kind: .cannotEncode)
    /// The file was written by a newer version of this module.
    public static let newerFormat = Code(kind: .newerFormat)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// What kind of failure it was.
  public let code: Code

  /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
  public let message: String

  /// The sentence.
  public var description: String { message }
}
