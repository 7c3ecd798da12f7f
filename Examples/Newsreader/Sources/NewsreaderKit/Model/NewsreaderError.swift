/// One line about something that could not be read, written or understood.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct NewsreaderError: Error, Sendable, Hashable {
  /// What kind of trouble it is. Codes are compared; texts are read.
  struct Code: Sendable, Hashable {
    private enum Value: Sendable { case feed, outline, state, usage, wiring }
    private let value: Value

    /// A feed cannot be read.
    static let feed = Code(value: .feed)
    /// An OPML file lists something that cannot be read.
    static let outline = Code(value: .outline)
    /// The state file cannot be read or written.
    static let state = Code(value: .state)
    /// The command line makes no sense.
    static let usage = Code(value: .usage)
    /// The picture of the wiring cannot be written.
    static let wiring = Code(value: .wiring)
  }

  /// What kind of trouble it is.
  let code: Code
  /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
  let message: String
}

extension NewsreaderError: CustomStringConvertible {
  /// The sentence.
  var description: String { message }
}

/// A place in a file, counted from 1.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct FilePlace: Sendable, Hashable, CustomStringConvertible {
  /// The line.
  var line: Int
  /// The column.
  var column: Int

  /// The place as `12:7`.
  var description: String { "\(max(line, 1)):\(max(column, 1))" }
}
