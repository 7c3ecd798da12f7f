/// What has arrived from others: finds what is missing, and what comes a second time.
///
/// Every sender numbers its messages for each channel. Of each such row, as long as it is among the last few thousand
/// that were heard of, the highest number is kept and which of those below it have not come.
///
/// ## Concurrency
/// A value; confined to whoever holds it.
package struct ArrivalLog: Sendable {
  /// One sender's messages on one channel.
  package struct Row: Sendable, Hashable {
    /// The sender.
    package var origin: String
    /// The channel.
    package var channel: String

    /// Names a row.
    package init(origin: String, channel: String) {
      self.origin = origin
      self.channel = channel
    }
  }

  private struct Entry: Sendable {
    var window: SequenceWindow
    var used: UInt64
  }

  private var rows: [Row: Entry] = [:]
  private var clock: UInt64 = 0
  private let width: Int
  private let mostRows: Int

  /// Begins with nothing.
  ///
  /// - Parameters:
  ///   - width: how many numbers that have not come are remembered one by one; 0 to look for gaps only.
  ///   - mostRows: how many rows are remembered.
  package init(width: Int, mostRows: Int = 4_096) {
    self.width = width
    self.mostRows = max(1, mostRows)
  }

  /// How many rows are remembered now.
  package var count: Int { rows.count }

  /// Notes one message of a row.
  ///
  /// - Returns: whether it has not come before, and how many are missing since the highest that has.
  package mutating func arrive(_ row: Row, _ sequence: UInt64) -> (isNew: Bool, missed: UInt64) {
    clock += 1
    if let index = rows.index(forKey: row) {
      rows.values[index].used = clock
      return rows.values[index].window.arrive(sequence)
    }
    if rows.count >= mostRows { forgetHalf() }
    rows[row] = Entry(window: SequenceWindow(first: sequence, width: width), used: clock)
    return (true, 0)
  }

  /// Whether a message of a row has come already.
  package func contains(_ row: Row, _ sequence: UInt64) -> Bool {
    rows[row]?.window.contains(sequence) ?? false
  }

  /// Forgets the rows that were not heard of for longest.
  private mutating func forgetHalf() {
    let middle = rows.values.map(\.used).sorted()[rows.count / 2]
    rows = rows.filter { $0.value.used > middle }
  }
}

/// The highest of the numbers that have come, and the holes below it.
///
/// Where nothing is lost there are few holes: what is under way, and what the server refused. So a message that comes again
/// is known however late that is.
///
/// ## Concurrency
/// A value; confined to whoever holds it.
struct SequenceWindow: Sendable {
  private var lowest: UInt64
  private var highest: UInt64
  private var holes: Set<UInt64> = []
  private let mostHoles: UInt64

  /// Begins with the first number to come.
  init(first: UInt64, width: Int) {
    lowest = first
    highest = first
    mostHoles = UInt64(max(0, width))
  }

  /// Notes a number. Returns whether it is new, and how many are missing between the highest before and this one.
  mutating func arrive(_ number: UInt64) -> (isNew: Bool, missed: UInt64) {
    if number > highest {
      let missed = number - highest - 1
      open(highest + 1..<number)
      if missed > mostHoles { lowest = number }
      highest = number
      return (true, missed)
    }
    guard mostHoles > 0 else { return (true, 0) }
    if number < lowest {
      // Too far back to be known: to hear a message twice is better than never.
      guard lowest - number <= mostHoles else { return (true, 0) }
      open(number + 1..<lowest)
      lowest = number
      return (true, 0)
    }
    return (holes.remove(number) != nil, 0)
  }

  /// Whether a number has come, as far as that is remembered.
  func contains(_ number: UInt64) -> Bool {
    mostHoles > 0 && number >= lowest && number <= highest && !holes.contains(number)
  }

  /// Notes numbers that have not come. Forgets what is far back where there are too many.
  private mutating func open(_ numbers: Range<UInt64>) {
    guard !numbers.isEmpty, mostHoles > 0 else { return }
    if numbers.upperBound - numbers.lowerBound > mostHoles {
      holes = []
      return
    }
    for number in numbers { holes.insert(number) }
    guard holes.count > mostHoles else { return }
    let sorted = holes.sorted()
    let middle = sorted[sorted.count / 2]
    lowest = max(lowest, middle + 1)
    holes = holes.filter { $0 > middle }
  }
}
