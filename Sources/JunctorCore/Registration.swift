/// The token of one registration: says whether it still stands, and ends it.
///
/// A registration that was made for an owner lives as long as the owner: the token need not be kept, and dropping it ends
/// nothing. Whoever keeps it keeps the list that it belongs to, not the owner or its closure.
///
/// ## Concurrency
/// A value; may be used from any thread, from inside the call that it stands for, and from `deinit`.
public struct Registration: Sendable {
  /// The list that the entry is in; `nil` for a registration that stored nothing.
  let list: OrderedList?
  private let id: UInt64
  /// Where the entry was placed.
  package let key: OrderKey

  /// Makes the token of an entry in a list.
  @usableFromInline
  package init(list: OrderedList, id: UInt64, key: OrderKey) {
    self.list = list
    self.id = id
    self.key = key
  }

  /// A registration that stored nothing, because its owner was already being deinitialised.
  @usableFromInline
  package init() {
    list = nil
    id = Identifier.next()
    key = OrderKey(priority: 0, rank: 0)
  }

  /// Whether it has neither been cancelled nor outlived its owner.
  ///
  /// - Complexity: O(log n) in the number of registrations beside it.
  public var isActive: Bool {
    guard let entry = list?.entry(id: id, key: key) else { return false }
    return !entry.owner.isBound || entry.owner.isAlive
  }

  /// Ends it. After this returned, no further call is started, on any thread.
  ///
  /// A call that another thread has already begun is not waited for. Ending it twice, late, from inside its own call, or
  /// from `deinit` does no harm, and never touches another registration: numbers are not used again.
  ///
  /// - Complexity: O(log n) in the number of registrations beside it.
  public func cancel() {
    list?.remove(id: id, key: key)
  }

  /// Sets it aside for a while: it keeps its place and is not called.
  ///
  /// - Complexity: O(log n) in the number of registrations beside it.
  public func pause() { list?.setPaused(true, id: id, key: key) }

  /// Takes it back after `pause()`.
  ///
  /// - Complexity: O(log n) in the number of registrations beside it.
  public func resume() { list?.setPaused(false, id: id, key: key) }

  /// The entry that it stands for, while that is registered.
  package var entry: _ListEntry? { list?.entry(id: id, key: key) }

  /// The number of the entry that it stands for.
  package var entryID: UInt64 { id }
}

extension Registration: CustomStringConvertible {
  /// Where it was made, or that it has ended.
  ///
  /// - Complexity: as `isActive`.
  public var description: String {
    guard isActive, let entry else { return "ended" }
    return entry.isPaused ? "paused, made at \(entry.site)" : "made at \(entry.site)"
  }
}

extension Registration: Hashable {
  /// Whether both stand for the same registration.
  public static func == (left: Registration, right: Registration) -> Bool { left.id == right.id }

  /// Hashes the registration's number.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
