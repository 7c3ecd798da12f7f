/// What a store's file holds.
///
/// The file is text: a first line with the format's name and version, then one line per entry, in the order of the keys,
/// then what was kept aside, each line after an exclamation mark, and a last line with the number of those between. A
/// damaged line does not take the others with it, and a file that was cut, even between two lines, is known as such.
struct RestorationContents: Hashable {
  /// The name and version of the format.
  static let header = "junctor-restoration "
  /// What the last line begins with.
  static let footer = "end "
  /// The version that is written.
  static let format = 1
  /// How many lines are kept aside; the oldest give way.
  static let asideLimit = 64

  /// The entries by key.
  var entries: [String: RestorationEntry] = [:]
  /// What could not be read or decoded, oldest first.
  var aside: [String] = []
  /// How many lines were found damaged when this was read.
  var damaged = 0
  /// Whether the end was missing when this was read.
  var isCut = false

  /// Whether everything was there and none of it damaged.
  var isWhole: Bool { damaged == 0 && !isCut }

  /// Why a text is not the contents of a store.
  enum Failure: Error {
    /// It is something else.
    case notAStore
    /// A newer version of this module wrote it.
    case newerFormat(Int)
  }

  /// Makes empty contents.
  init() {}

  /// Reads a file's text.
  init(text: String) throws(Failure) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: true)[...]
    guard let first = lines.popFirst(), first.hasPrefix(Self.header),
      let format = Int(first.dropFirst(Self.header.count))
    else { throw .notAStore }
    guard format <= Self.format else { throw .newerFormat(format) }
    // One that is damaged itself is no last line.
    if let last = lines.last, last.hasPrefix(Self.footer),
      Int(last.dropFirst(Self.footer.count)) == lines.count - 1
    {
      lines.removeLast()
    } else {
      isCut = true
    }
    for line in lines {
      if line.hasPrefix("! ") {
        aside.append(String(line.dropFirst(2)))
      } else if let entry = RestorationEntry(line: String(line)) {
        entries[entry.key] = entry
      } else {
        damaged += 1
        keepAside(String(line))
      }
    }
  }

  /// Keeps a line aside.
  mutating func keepAside(_ line: String) {
    aside.append(line)
    if aside.count > Self.asideLimit { aside.removeFirst(aside.count - Self.asideLimit) }
  }

  /// The file's text.
  func text() throws -> String {
    var lines = [Self.header + String(Self.format)]
    for (_, entry) in entries.sorted(by: { $0.key < $1.key }) { lines.append(try entry.line()) }
    lines += aside.map { "! " + $0 }
    lines.append(Self.footer + String(lines.count - 1))
    return lines.joined(separator: "\n") + "\n"
  }
}
