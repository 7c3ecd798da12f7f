/// The last so many events.
struct HistoryRing: Sendable {
  /// One event as it is recorded; what costs time is left for when it is read.
  struct Record: Sendable {
    /// What it is.
    var kind: Wiring.EventKind
    /// What it happened to.
    var subject: WiringSubject
    /// Where it was asked for.
    var site: SourceSite?
    /// When it began, in nanoseconds; 0 where that was not measured.
    var began: UInt64
    /// When it ended, in nanoseconds.
    var ended: UInt64
    /// How many it reached.
    var count: Int

    /// Becomes another event, which gets in exchange what this one had happened to.
    @inline(__always)
    fileprivate mutating func take(_ other: inout Record) {
      // Word by word: to move a whole record in and out costs more than the lock.
      swap(&subject, &other.subject)
      kind = other.kind
      site = other.site
      began = other.began
      ended = other.ended
      count = other.count
    }

    /// What stands where no event has been yet.
    static let blank = Record(
      kind: .post, subject: .name(""), site: nil, began: 0, ended: 0, count: 0)
  }

  // Not optional, so that a field can be written alone.
  private var slots: [Record] = []
  /// The number of the latest event; numbers go on when the ring is emptied.
  private(set) var last: UInt64 = 0
  /// The number of the latest event that the present ring never held.
  private var base: UInt64 = 0

  /// Where the next event goes: its number modulo the capacity, counted along because a division costs as much as a lock.
  private var next = 0

  /// How many events are kept.
  var capacity: Int { slots.count }

  /// Puts an event in the oldest one's place.
  ///
  /// - Parameter record: the event; gets in exchange what the oldest one had happened to, for the caller to let go outside
  ///   the lock.
  @inline(__always)
  mutating func append(_ record: inout Record) {
    guard next < slots.count else { return }
    last &+= 1
    slots[next].take(&record)
    next = next + 1 == slots.count ? 0 : next + 1
  }

  /// Makes room for so many events, at least; keeps what it held.
  mutating func grow(to capacity: Int) -> [Record] {
    guard capacity > slots.count else { return [] }
    let old = slots
    let first = firstKept
    var grown = [Record](repeating: .blank, count: capacity)
    if first <= last {
      for number in first...last {
        grown[Int(number % UInt64(capacity))] = old[Int(number % UInt64(old.count))]
      }
    }
    base = first - 1
    slots = grown
    next = Int((last + 1) % UInt64(capacity))
    return old
  }

  /// Gives up everything that it held.
  mutating func empty() -> [Record] {
    let old = slots
    slots = []
    base = last
    return old
  }

  /// The number of the oldest event that is kept, one more than the last where there is none.
  private var firstKept: UInt64 {
    let room = UInt64(slots.count)
    return max(base, last > room ? last - room : 0) + 1
  }

  /// Records as they were copied, to be made readable where nobody waits for it.
  struct Copied {
    /// The number of the first.
    var first: UInt64
    /// The records, oldest first.
    var records: [Record] = []
    /// How many after the one asked for had been overwritten already.
    var missed: UInt64

    /// What readers see.
    ///
    /// - Complexity: O(records); naming a type takes microseconds.
    var page: Wiring.HistoryPage {
      let events = records.enumerated().map { place, record in
        Wiring.Event(number: first + UInt64(place), record)
      }
      return Wiring.HistoryPage(
        events: events, missed: missed, last: first + UInt64(records.count) - 1)
    }
  }

  /// The records after a number, oldest first, at most so many.
  func copy(after number: UInt64, limit: Int) -> Copied {
    let wanted = min(number, last) + 1
    let first = max(wanted, firstKept)
    let end = min(last, first &+ UInt64(max(0, limit)) &- 1)
    var copied = Copied(first: first, missed: first - wanted)
    if limit > 0, first <= end {
      copied.records.reserveCapacity(Int(end - first) + 1)
      for number in first...end {
        // Every number from the first that is kept has its record.
        copied.records.append(slots[Int(number % UInt64(slots.count))])
      }
    }
    return copied
  }

  /// The events after a number, oldest first, at most so many.
  func page(after number: UInt64, limit: Int) -> Wiring.HistoryPage {
    copy(after: number, limit: limit).page
  }
}

extension Wiring.Event {
  /// Makes of a record what readers see.
  init(number: UInt64, _ record: HistoryRing.Record) {
    self.number = number
    kind = record.kind
    label = record.subject.text
    site = record.site
    time = .nanoseconds(Int64(clamping: record.ended))
    duration =
      record.began == 0
      ? nil
      : .nanoseconds(
        Int64(clamping: WiringHistory.duration(from: record.began, to: record.ended)))
    count = record.count
  }
}
