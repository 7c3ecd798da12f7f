/// The entries of an ordered list, as a plain value. Everything that leaves it is returned, to die elsewhere.
struct ListState {
  // Appending in order is the rule and goes into `sorted`; what comes out of order waits in `tail` until the order is
  // needed, so that n registrations in any order cost O(n log n) together, not n insertions into the middle.
  /// The places in order.
  private(set) var sorted: ContiguousArray<ListSlot> = []
  /// The places that came out of order, in the order in which they came.
  private(set) var tail: ContiguousArray<ListSlot> = []
  /// How many places hold an entry.
  private(set) var count = 0
  /// Whether `spread` has ever changed a key.
  private var wasSpread = false
  /// Where the next sweep goes on.
  private var sweepPosition = 0
  /// Grows with every change.
  private(set) var version: UInt64 = 0
  /// Whether walks that do not know of it are to find nobody; see `OrderedList.hide(while:)`.
  var isHidden = false
  /// Whether that has ever been so.
  var wasEverHidden = false

  /// Where an entry stands.
  enum Position {
    /// Among those in order.
    case sorted(Int)
    /// Among those that came out of order.
    case tail(Int)
  }

  /// Adds an entry under a key.
  ///
  /// - Complexity: amortised O(1).
  mutating func append(_ entry: _ListEntry, at key: OrderKey) {
    version += 1
    count += 1
    let slot = ListSlot(key: key, entry: entry)
    if let last = sorted.last, key < last.key {
      tail.append(slot)
    } else {
      sorted.append(slot)
    }
  }

  /// Places an entry beside another. Returns its key, or `nil`, with nothing changed, where there is no such other.
  mutating func insert(_ entry: _ListEntry, _ side: ListSide, of anchor: UInt64) -> OrderKey? {
    normalise()
    compact()
    guard let index = sorted.firstIndex(where: { $0.entry?.id == anchor }) else { return nil }
    let place = side == .before ? index : index + 1
    let priority = sorted[index].key.priority
    func neighbour(_ index: Int) -> UInt64? {
      guard sorted.indices.contains(index), sorted[index].key.priority == priority else {
        return nil
      }
      return sorted[index].key.rank
    }
    var low = neighbour(place - 1) ?? 0
    var high = neighbour(place) ?? (low &+ 2 * OrderKey.gap)
    if high - low < 2 {
      spread(priority)
      low = neighbour(place - 1) ?? 0
      high = neighbour(place) ?? (low &+ 2 * OrderKey.gap)
    }
    // An entry behind all others must stay before those that are registered later: just behind its anchor.
    let rank = neighbour(place) == nil ? low + 1 : low + (high - low) / 2
    let key = OrderKey(priority: priority, rank: rank)
    version += 1
    count += 1
    sorted.insert(ListSlot(key: key, entry: entry), at: place)
    return key
  }

  /// Gives the entries of one priority ranks with room between them again, none higher than before.
  private mutating func spread(_ priority: Int) {
    wasSpread = true
    let indices = sorted.indices.filter { sorted[$0].key.priority == priority }
    guard let last = indices.last else { return }
    let step = sorted[last].key.rank / UInt64(indices.count)
    for (place, index) in indices.enumerated() {
      sorted[index].key.rank = step * UInt64(place + 1)
    }
  }

  // MARK: - Finding and taking out

  /// Finds an entry by its number and the key that its token knows.
  ///
  /// - Complexity: O(log n), and O(n) once keys were spread.
  func find(id: UInt64, key: OrderKey) -> Position? {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].key < key { low = middle + 1 } else { high = middle }
    }
    // Several have the same key only after `spread`, which gives new keys to entries whose tokens know the old ones.
    if low < sorted.count, sorted[low].key == key, sorted[low].entry?.id == id {
      return .sorted(low)
    }
    if let index = tail.lastIndex(where: { $0.key == key && $0.entry?.id == id }) {
      return .tail(index)
    }
    guard wasSpread else { return nil }
    return sorted.firstIndex { $0.entry?.id == id }.map { .sorted($0) }
  }

  /// The entry at a place, if it has not gone.
  func entry(at position: Position) -> _ListEntry? {
    switch position {
    case .sorted(let index): sorted[index].entry
    case .tail(let index): tail[index].entry
    }
  }

  /// Takes one entry out and returns it, to die elsewhere.
  ///
  /// - Complexity: amortised O(log n).
  mutating func take(id: UInt64, key: OrderKey) -> _ListEntry? {
    // A long tail is merged first: then finding is O(log n) for this removal and those that follow.
    if tail.count > 32 { normalise() }
    guard let position = find(id: id, key: key) else { return nil }
    version += 1
    count -= 1
    let taken: _ListEntry?
    switch position {
    case .sorted(let index):
      taken = sorted[index].entry
      sorted[index].entry = nil
    case .tail(let index):
      taken = tail.remove(at: index).entry
    }
    if sorted.count > 16, sorted.count > 2 * (count - tail.count) { compact() }
    return taken
  }

  /// Takes every entry out that fits and returns them, to die elsewhere.
  ///
  /// - Complexity: O(n).
  mutating func takeAll(where fits: (_ListEntry) -> Bool) -> [_ListEntry] {
    normalise()
    var taken: [_ListEntry] = []
    for index in sorted.indices {
      guard let entry = sorted[index].entry, fits(entry) else { continue }
      taken.append(entry)
      sorted[index].entry = nil
    }
    guard !taken.isEmpty else { return [] }
    version += 1
    count -= taken.count
    compact()
    return taken
  }

  // MARK: - Order

  /// Forgets the places whose entries have gone.
  private mutating func compact() {
    sorted.removeAll { $0.entry == nil }
    if sorted.capacity > 64, sorted.capacity > 4 * sorted.count {
      sorted = ContiguousArray(sorted)
    }
  }

  /// Merges the tail into the order.
  private mutating func normalise() {
    guard !tail.isEmpty else { return }
    let added = tail.sorted { $0.key < $1.key }
    tail = []
    var merged: ContiguousArray<ListSlot> = []
    merged.reserveCapacity(sorted.count + added.count)
    var next = 0
    for slot in sorted {
      while next < added.count, added[next].key < slot.key {
        merged.append(added[next])
        next += 1
      }
      merged.append(slot)
    }
    merged.append(contentsOf: added[next...])
    sorted = merged
  }

  /// The entries in order.
  ///
  /// - Complexity: O(n), and O(n log n) in what came out of order since the last time.
  mutating func ordered() -> [_ListEntry] {
    normalise()
    return sorted.compactMap(\.entry)
  }

  /// The entries in order, each with its priority.
  ///
  /// - Complexity: as `ordered()`.
  mutating func placed() -> [(entry: _ListEntry, priority: Int)] {
    normalise()
    return sorted.compactMap { slot in slot.entry.map { ($0, slot.key.priority) } }
  }

  /// Makes what walks read.
  ///
  /// - Complexity: as `ordered()`.
  mutating func makeSnapshot() -> ListSnapshot {
    normalise()
    return ListSnapshot.make(sorted, count: count)
  }

  /// Counts as a change: an entry was set aside, or taken back.
  mutating func touch() { version += 1 }

  // MARK: - Sweeping

  /// Looks at the next few places and returns the entries whose owner may have died, with their keys.
  mutating func nextSuspects(
    limit: Int
  ) -> (suspects: [(entry: _ListEntry, key: OrderKey)], examined: Int, atEnd: Bool) {
    var suspects: [(entry: _ListEntry, key: OrderKey)] = []
    let total = sorted.count + tail.count
    let start = min(sweepPosition, total)
    let end = min(total, start + limit)
    for index in start..<end {
      let slot = index < sorted.count ? sorted[index] : tail[index - sorted.count]
      guard let entry = slot.entry, entry.owner.isBound else { continue }
      #if canImport(ObjectiveC)
        // Asking could release the owner for the last time: not under the lock.
        suspects.append((entry, slot.key))
      #else
        if !entry.owner.isAlive { suspects.append((entry, slot.key)) }
      #endif
    }
    sweepPosition = end < total ? end : 0
    return (suspects, end - start, end == total)
  }
}
