import Foundation

/// What the command line asks for.
struct Options {
  /// Words, one of which a case's title must contain.
  var filters: [String] = []
  /// The file that the results are written to as JSON.
  var json: String?
  /// Whether what the contracts ask for decides the exit status.
  var check = false
  /// Whether fewer and shorter repetitions do.
  var quick = false
  /// Whether the results are added to `Benchmarks/RESULTS.md`.
  var record = false
  /// A file of results, written by `--json`, whose scaling curves are drawn instead of measuring.
  var plot: String?
  /// Whether only the titles are printed.
  var list = false

  /// How to use the command.
  static let usage = """
    Usage: ./bench [--quick] [--filter TEXT] [--json FILE] [--check] [--record] [--list]
           ./bench --plot FILE

      --quick        fewer and shorter repetitions
      --filter TEXT  only the cases whose titles contain TEXT; may be given several times
      --json FILE    writes the results to FILE as well
      --check        ends with status 1 and names what is missed of what the contracts ask;
                     with --quick only allocation counts and gross ratios count
      --record       adds a dated table to Benchmarks/RESULTS.md
      --plot FILE    draws the scaling curves in FILE, which --json wrote, as SVG files beside it
      --list         prints the titles of the cases and measures nothing

    The columns are separated by tabulators. Of cases whose name ends in (bytes), the columns of
    nanoseconds hold bytes.
    """

  /// Reads the arguments.
  ///
  /// - Parameter arguments: what follows the command's name.
  /// - Throws: a sentence that tells what is wrong.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--filter": filters.append(try Self.value(of: argument, &rest).lowercased())
      case "--json": json = try Self.value(of: argument, &rest)
      case "--plot": plot = try Self.value(of: argument, &rest)
      case "--check": check = true
      case "--quick": quick = true
      case "--record": record = true
      case "--list": list = true
      case "--help", "-h": throw UsageError(message: Self.usage, isHelp: true)
      default:
        throw UsageError(
          message: "Can't use '\(argument)': there is no such option. Run ./bench --help.")
      }
    }
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst() else {
      throw UsageError(message: "Can't use '\(option)': its value is missing. Run ./bench --help.")
    }
    return value
  }
}

/// What is wrong with the command line, or the help that was asked for.
struct UsageError: Error {
  /// The text to print.
  let message: String
  /// Whether it was asked for.
  var isHelp = false
}
