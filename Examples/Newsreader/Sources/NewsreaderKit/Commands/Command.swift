/// One line of input, understood.
///
/// ## Concurrency
/// A value; may be used anywhere.
enum Command: Sendable, Hashable {
  /// Prints the articles that are not archived.
  case list
  /// Prints those that nobody has read.
  case unread
  /// Opens the article with a number.
  case open(Int)
  /// Opens the article after the open one.
  case next
  /// Opens the article before the open one.
  case previous
  /// Puts the open article away.
  case archive
  /// Closes the open article.
  case back
  /// Prints the articles in which a text occurs.
  case search(String)
  /// Marks the article with a number.
  case mark(Int, isRead: Bool)
  /// Prints how many articles there are.
  case count
  /// Writes the picture of the wiring to a file.
  case wiring(String)
  /// Prints the commands.
  case help
  /// Ends the reader.
  case quit

  /// Why a line is no command.
  ///
  /// ## Concurrency
  /// A value; may be used anywhere.
  struct Misunderstanding: Error, Sendable, Hashable {
    /// One line for the user.
    let message: String
  }

  /// Understands a line.
  ///
  /// - Parameter line: the line. An empty one, and one that begins with `#`, says nothing.
  /// - Returns: the command; `nil` if the line says nothing.
  /// - Throws: `Misunderstanding`.
  /// - Complexity: O(length).
  static func parse(_ line: String) throws(Misunderstanding) -> Command? {
    let line = CleanText.line(line)
    guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
    let parts = line.split(separator: " ", maxSplits: 1)
    let name = parts[0].lowercased()
    let rest = parts.count > 1 ? String(parts[1]) : ""
    if let command = try parseArgument(name, rest) { return command }
    guard let command = simple[name] else {
      let shown = ColumnWrapper().shorten(String(parts[0]), width: 40)
      throw Misunderstanding(message: "Unknown command '\(shown)'. 'help' lists the commands.")
    }
    guard rest.isEmpty else {
      throw Misunderstanding(message: "'\(name)' takes nothing after it.")
    }
    return command
  }

  private static let simple: [String: Command] = [
    "list": .list, "unread": .unread, "next": .next, "previous": .previous, "archive": .archive,
    "back": .back, "count": .count, "help": .help, "quit": .quit,
  ]

  /// Understands a command that takes an argument; `nil` if it is none of these.
  private static func parseArgument(
    _ name: String, _ rest: String
  ) throws(Misunderstanding) -> Command? {
    switch name {
    case "open":
      guard let number = Int(rest) else {
        throw Misunderstanding(message: "'open' takes the number of an article: open 3")
      }
      return .open(number)
    case "mark":
      let words = rest.split(separator: " ")
      guard words.count == 2, let number = Int(words[0]), ["read", "unread"].contains(words[1])
      else { throw Misunderstanding(message: "'mark' takes a number and a word: mark 3 unread") }
      return .mark(number, isRead: words[1] == "read")
    case "search":
      guard !rest.isEmpty else {
        throw Misunderstanding(message: "'search' takes a text: search swift")
      }
      return .search(rest)
    case "wiring":
      guard !rest.isEmpty else {
        throw Misunderstanding(message: "'wiring' takes a file: wiring picture.svg")
      }
      return .wiring(rest)
    default: return nil
    }
  }

  /// What `help` prints.
  static let overview = """
    list                  all articles that are not archived
    unread                those that nobody has read
    open N                reads the article with number N
    next, previous        reads the one after it, or before it
    archive               puts the article that is open away
    back                  closes the article that is open
    search TEXT           articles in which a text occurs
    mark N read|unread    marks the article with number N
    count                 how many there are
    wiring FILE           writes who is joined to whom: .svg .dot .mmd .json .txt
    help                  this list
    quit                  ends the reader
    """
}
