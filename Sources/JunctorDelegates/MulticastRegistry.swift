internal import CJunctorDelegates
public import JunctorCore
internal import Synchronization

/// Who is on a multicast's list, whatever they are called as.
///
/// - The order is priority, higher first, then adding; `before` and `after` place a target beside another.
/// - Targets are held weakly, unless added with `retaining: true`. Dead ones are cleared away when a target is added and,
///   now and then, when targets are called; they are never counted.
/// - A target is on the list once. Which object it is survives its death: a new object at its address is a stranger.
///
/// ## Concurrency
/// May be used from any thread, from inside a call and from `deinit`. No lock is held while code of a target's runs.
public final class MulticastRegistry: Sendable {
  /// The targets, in order.
  @usableFromInline let list = OrderedList()
  /// Where each target stands.
  let index = MulticastIndex()

  /// What the multicast is called in reports and in the wiring.
  public let label: String

  /// Where the multicast was made.
  public let site: SourceSite

  /// The number that nesting and its calls know it by.
  @usableFromInline let id = Identifier.next()
  private let wiringID = Atomic<UInt64>(0)
  /// Counts the calls that reach nobody.
  let watch = UnreachedWatch()
  /// What was counted while the history was on.
  // SAFETY: touched only in what `WiringHistory` runs under its lock, in `MulticastRegistry+Record.swift`.
  nonisolated(unsafe) var lockedTraffic = MulticastTraffic()
  /// What its calls tell those who called it as a target.
  @usableFromInline let answers = NestedAnswers()
  /// Its calls that are suspended.
  let suspended = SuspendedCalls()
  /// How many more may be added before the dead are looked for.
  private let credit = Atomic<Int>(16)

  /// Makes an empty list.
  ///
  /// - Parameters:
  ///   - label: what the multicast is called in reports and in the wiring.
  ///   - site: where the multicast was made.
  /// - Complexity: O(1).
  public init(label: String, site: SourceSite) {
    self.label = label
    self.site = site
    wiringID.store(WiringRegistry.add(self), ordering: .relaxed)
    if WiringHistory.isOn { historyDidChange() }
  }

  deinit { WiringRegistry.remove(wiringID.load(ordering: .relaxed)) }
}

// MARK: - Asking it

extension MulticastRegistry {
  /// How many targets are alive.
  ///
  /// - Complexity: O(n).
  public var count: Int {
    entries().count { $0.owner.isAlive }
  }

  /// The entries that have their places, in order, those of the dead included.
  func entries() -> [MulticastEntry] {
    list.entries().compactMap { $0 as? MulticastEntry }.filter(\.isSettled)
  }

  /// Whether no target is alive.
  ///
  /// - Complexity: O(n).
  public var isEmpty: Bool {
    !entries().contains { $0.owner.isAlive }
  }

  /// Says whether an object is one of the targets.
  ///
  /// - Parameter target: the object in question.
  /// - Returns: whether it is on the list.
  /// - Complexity: O(log n).
  public func contains(_ target: AnyObject) -> Bool {
    guard let place = index.place(of: ObjectIdentifier(target)) else { return false }
    return stands(place, target)
  }

  /// Says whether anyone would answer an optional method, as far as is known.
  ///
  /// A class whose objects were never called through any multicast counts as one that answers, until its first call.
  ///
  /// - Parameter method: the method in question.
  /// - Returns: whether at least one living target has, or may have, an implementation of its own.
  /// - Complexity: O(n).
  public func responds(to method: OptionalMethod) -> Bool {
    var found = false
    var call = unsafe junctor_call()
    // A holder may give another registry than the one that it was added with, and so close a circle.
    unsafe withUnsafeMutablePointer(to: &call) { call in
      guard unsafe junctor_begin_call(call, id) || beginDeeply(call, "responds(to:)") else {
        return
      }
      defer { unsafe junctor_end_call(call) }
      list.walk(evenIfHidden: true) { entry, object -> Bool in
        // SAFETY: only `MulticastEntry` is ever added to this list.
        found = unsafe unsafeDowncast(entry, to: MulticastEntry.self).mayRespond(to: method, object)
        return !found
      }
    }
    return found
  }

  /// Clears the dead away after as many additions as there were entries the last time: amortised O(1) for each, and the
  /// dead never outnumber the living by more than a few.
  func noteAddition() {
    guard credit.wrappingSubtract(1, ordering: .relaxed).newValue == 0 else { return }
    list.reclaim()
    credit.store(list.count + 16, ordering: .relaxed)
  }

  /// Whether that place is this object's, and still taken.
  func stands(_ place: MulticastIndex.Place, _ target: AnyObject) -> Bool {
    guard let entry = list.entry(id: place.entry, key: place.key) else { return false }
    return entry.owner.refers(to: target)
  }
}

// MARK: - Removing

extension MulticastRegistry {
  /// Takes a target out. Works from inside a call and from the target's `deinit`.
  ///
  /// After this returned, no further call to the target is started, on any thread.
  ///
  /// - Parameter target: the object to take out.
  /// - Returns: whether it was there.
  /// - Complexity: O(log n).
  @discardableResult
  public func remove(_ target: AnyObject) -> Bool {
    guard let place = index.take(ObjectIdentifier(target)) else { return false }
    let wasThere = list.remove(id: place.entry, key: place.key)
    if wasThere, WiringHistory.isOn { WiringHistory.record(.close, label, site: site) }
    return wasThere
  }

  /// Takes every target out.
  ///
  /// - Complexity: O(n).
  public func removeAll() {
    index.removeAll()
    list.removeAll()
  }
}
