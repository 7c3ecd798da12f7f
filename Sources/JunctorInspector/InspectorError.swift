#if Inspector
  /// Why an inspector could not be started.
  ///
  /// ## Concurrency
  /// A value; may be used anywhere.
  public struct InspectorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is. Codes are compared; texts are read.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
      private enum Kind: String {
        case portTaken, portForbidden, notStarted
      }

      private let kind: Kind

      /// Another program, or another inspector, listens on the port.
      public static let portTaken = Code(kind: .portTaken)
      /// The system does not let this program listen on the port.
      public static let portForbidden = Code(kind: .portForbidden)
      /// The system gave another reason.
      public static let notStarted = Code(kind: .notStarted)

      private init(kind: Kind) { self.kind = kind }

      /// The code's name.
      public var description: String { "inspector.\(kind.rawValue)" }
    }

    /// What kind of failure it is.
    public let code: Code

    /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
    public let message: String

    /// Puts an error together.
    init(_ code: Code, _ message: String) {
      self.code = code
      self.message = message
    }

    /// The sentence.
    public var description: String { message }
  }
#endif
