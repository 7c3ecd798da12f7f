internal import Foundation

/// What the command line asks for.
///
/// ## Concurrency
/// A value; may be used anywhere.
struct Arguments: Sendable, Hashable {
  /// The feed files, as named.
  var feeds: [String] = []
  /// Where marks are kept; `nil` for the usual place.
  var state: String?
  /// The file of commands; `nil` for none.
  var commands: String?
  /// Where the picture of the wiring goes at the end; `nil` for nowhere.
  var wiring: String?
  /// The server by which readers keep their marks in step; `nil` for none.
  var nats: String?
  /// Whether the help text is asked for.
  var wantsHelp = false

  /// Understands a command line.
  ///
  /// - Parameter words: its words, without the program's name.
  /// - Throws: `NewsreaderError` with the code `usage`.
  /// - Complexity: O(n).
  init(_ words: [String]) throws(NewsreaderError) {
    var rest = words[...]
    var takesOptions = true
    while let word = rest.popFirst() {
      guard takesOptions, word.hasPrefix("-"), word != "-" else {
        feeds.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      let option = parts.first ?? word
      func value() throws(NewsreaderError) -> String {
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst(), !value.isEmpty else {
          throw Self.misuse(option, "a file must follow it")
        }
        return value
      }
      switch option {
      case "--": takesOptions = false
      case "--help", "-h": wantsHelp = true
      case "--state": state = try value()
      case "--commands": commands = try value()
      case "--nats": nats = try Self.server(value())
      case "--wiring": wiring = try Self.picture(value())
      default: throw Self.misuse(option, "there is no such option")
      }
    }
    if feeds.isEmpty, !wantsHelp { throw Self.misuse("newsreader", "no feed is named") }
  }

  private static func server(_ url: String) throws(NewsreaderError) -> String {
    #if NATS
      return url
    #else
      throw misuse("--nats", "this build lacks the trait 'NATS'; build with '--traits NATS'")
    #endif
  }

  private static func picture(_ path: String) throws(NewsreaderError) -> String {
    guard WiringPicture.isPossible(path) else {
      throw misuse("--wiring", "'\(path)' ends in none of .svg .dot .mmd .json .txt")
    }
    return path
  }

  private static func misuse(_ name: String, _ cause: String) -> NewsreaderError {
    NewsreaderError(
      code: .usage,
      message: "Can't use '\(CleanText.line(name))': \(CleanText.line(cause)). Try '--help'.")
  }

  /// What `--help` prints.
  static let help = """
    Reads feeds in the terminal: RSS, Atom, and OPML files that list them.

    newsreader [--state FILE] [--commands FILE] [--wiring FILE] [--nats URL] feed.xml …

      --state FILE     where read marks are kept; otherwise in the user's data folder
      --commands FILE  takes one command per line from a file
      --wiring FILE    at the end, writes who is joined to whom: .svg .dot .mmd .json .txt
      --nats URL       keeps marks in step with other readers on a NATS server
      --help           this text

    Without a terminal on standard input, commands are read from there:

    \(Command.overview.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))

    Exit status: 0; 1 when a feed, the state or a picture could not be read or written; 2 for
    wrong usage.
    """
}
