internal import JunctorCore
internal import Synchronization

/// What one topic keeps for listeners that come later, whatever its message type.
protocol AnyReplayStore: AnyObject, Sendable {
  /// What it was asked to keep.
  var policy: ReplayPolicy { get }
  /// Whether it keeps nothing now.
  var isEmpty: Bool { get }
  /// What its topic knows of the message type.
  var kind: TopicKind { get }
  /// Where it was asked for.
  var site: SourceSite { get }
  /// An empty one that keeps the same.
  func makeSibling() -> any AnyReplayStore
  /// Notes that a pattern's listener hears everything from now on. If that is news it calls `note`, before anybody can find
  /// the listener noted, and returns true.
  func noteListener(_ pattern: UInt64, _ note: () -> Void) -> Bool
  /// Whether a pattern's listener was noted and not forgotten.
  func hasNoted(_ pattern: UInt64) -> Bool
  /// Forgets a pattern's listener.
  func forgetListener(_ pattern: UInt64)
}

/// What one topic keeps for listeners that come later.
///
/// Every message gets a number when it is put in, before anybody hears it. Whoever joins is in the list of listeners
/// first and copies then; what has a number up to the copy's last one was in the copy, what has a higher one comes by its
/// own delivery. So nothing is missed and nothing comes twice, and neither lock is held while the other is.
///
/// ## Concurrency
/// May be used from any thread. Retained by its exchange and its topic; retains messages.
final class ReplayStore<Message: Sendable>: AnyReplayStore {
  /// One message that is kept, with what came with it.
  struct Item: Sendable {
    /// The message.
    let message: Message
    /// What belongs to its post.
    let context: PostContext
    /// What tells a `send` that waits for the delivery.
    var ticket: DeliveryTicket?
    /// Whether it was held up for one listener, and noted as heard for that.
    var isHeld = false
  }

  private struct State {
    var policy: ReplayPolicy
    var items = RingBuffer<Item>()
    var lastNumber: UInt64 = 0
    // Those of patterns come with each topic anew; what is kept was theirs already.
    var listeners: Set<UInt64> = []

    /// The first message of a number or a higher one that is for somebody who joins.
    func next(from number: UInt64) -> Item? {
      var index = place(of: number)
      while index < items.count {
        let item = items[index]
        if policy.kind != .untilFirst || !item.isHeard { return item }
        index += 1
      }
      return nil
    }

    /// Takes a message out, where it is kept for the first alone. Returns it if it is there still, for whoever asks.
    mutating func claim(_ item: Item) -> Item? {
      guard policy.kind == .untilFirst else { return item }
      let index = place(of: item.number)
      guard index < items.count, items[index].context === item.context, !item.isHeard else {
        return nil
      }
      item.context.isTaken.store(true, ordering: .releasing)
      return items.take(at: index)
    }

    /// The place of the first message of a number or a higher one. They stand in the order of their numbers.
    private func place(of number: UInt64) -> Int {
      var low = 0
      var high = items.count
      while low < high {
        let middle = (low + high) / 2
        if items[middle].number < number { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  private let state: Mutex<State>

  let site: SourceSite

  /// Makes an empty store.
  init(_ policy: ReplayPolicy, site: SourceSite) {
    state = Mutex(State(policy: policy))
    self.site = site
  }

  var policy: ReplayPolicy { state.withLock { $0.policy } }

  var isEmpty: Bool { state.withLock { $0.items.isEmpty } }

  var kind: TopicKind { TopicKind(Message.self) }

  func makeSibling() -> any AnyReplayStore { ReplayStore<Message>(policy, site: site) }

  func noteListener(_ pattern: UInt64, _ note: () -> Void) -> Bool {
    state.withLock { state in
      let isNews = state.listeners.insert(pattern).inserted
      if isNews { note() }
      return isNews
    }
  }

  func hasNoted(_ pattern: UInt64) -> Bool { state.withLock { $0.listeners.contains(pattern) } }

  func forgetListener(_ pattern: UInt64) { state.withLock { _ = $0.listeners.remove(pattern) } }

  /// Takes a second wish into account: the larger limit of one kind. Returns whether the kinds agree.
  func join(_ policy: ReplayPolicy) -> Bool {
    state.withLock { state in
      guard state.policy.kind == policy.kind else { return false }
      if state.policy.limit < policy.limit { state.policy = policy }
      return true
    }
  }

  /// Puts a message in and gives it its number.
  ///
  /// - Complexity: amortised O(1).
  func append(_ message: Message, _ context: PostContext) {
    let displaced = state.withLock { state -> Item? in
      state.lastNumber += 1
      context.number.store(state.lastNumber, ordering: .releasing)
      state.items.append(Item(message: message, context: context))
      return state.items.count > state.policy.limit ? state.items.popFirst() : nil
    }
    _ = displaced
  }

  /// Takes a message out again whose post has ended, if it was consumed, or was only kept for want of a listener.
  ///
  /// - Parameters:
  ///   - context: what belongs to the post.
  ///   - isVoid: whether the message is to go in any case.
  /// - Complexity: O(messages put in since); O(messages kept) for one that is not there.
  func settle(_ context: PostContext, isVoid: Bool) {
    let item = state.withLock { state -> Item? in
      // Asked under the lock: what is taken back from a listener is put back under it.
      let isHeard = state.policy.kind == .untilFirst && context.isHeard
      guard isVoid || isHeard || context.isConsumed.load(ordering: .acquiring) else { return nil }
      return state.items.takeLast { $0.context === context }
    }
    _ = item
  }

  /// What a listener that joins now is to get, and the number up to which it has everything.
  ///
  /// - Parameter wants: whether it wants a message; asked with no lock held.
  /// - Complexity: O(messages kept).
  func join(where wants: (PostContext) -> Bool) -> (items: [Item], cutoff: UInt64) {
    let (all, cutoff, isForFirst) = state.withLock {
      ($0.items, $0.lastNumber, $0.policy.kind == .untilFirst)
    }
    // What is being heard just now is for those who hear it; it goes when its post ends.
    let items = all.elements.filter { !(isForFirst && $0.isHeard) && wants($0.context) }
    // Of two that join at the same time, one is the first.
    return (isForFirst && !items.isEmpty ? claim(items) : items, cutoff)
  }

  /// The one message that a one-shot that joins now is to get, and the number up to which there is no other.
  ///
  /// - Parameters:
  ///   - first: the number of the first message that is for it.
  ///   - wants: whether it wants a message; asked with no lock held.
  /// - Complexity: O(log n) in the messages kept, for each that it does not want or that is being heard.
  func joinOnce(
    from first: UInt64, where wants: (PostContext) -> Bool
  ) -> (item: Item?, cutoff: UInt64) {
    var first = first
    while true {
      let (found, cutoff) = state.withLock { ($0.next(from: first), $0.lastNumber) }
      guard let found else { return (nil, cutoff) }
      if wants(found.context), let item = state.withLock({ $0.claim(found) }) {
        return (item, cutoff)
      }
      first = found.number + 1
    }
  }

  /// Takes messages back that a listener could not have because it went, unless somebody else has heard them.
  ///
  /// - Complexity: O(n log n) in the messages kept.
  func putBack(_ items: [Item]) {
    let left = state.withLock { state -> (RingBuffer<Item>, ArraySlice<Item>)? in
      guard state.policy.kind == .untilFirst, !items.isEmpty else { return nil }
      for item in items where item.isHeld { item.context.takeBackHeard() }
      // One whose post has not ended may be there still.
      let present = Set(state.items.elements.map(\.number))
      let back = items.filter { !$0.isHeard && !present.contains($0.number) }
      for item in back { item.context.isTaken.store(false, ordering: .releasing) }
      let all = (state.items.elements + back).sorted { $0.number < $1.number }
      let old = state.items
      state.items = RingBuffer()
      for var item in all.suffix(state.policy.limit) {
        item.ticket = nil
        item.isHeld = false
        state.items.append(item)
      }
      return (old, all.dropLast(state.policy.limit))
    }
    // What has lost its place dies here, after the lock was left.
    _ = left
  }

  /// Takes items out. Returns those that were there still.
  private func claim(_ items: [Item]) -> [Item] {
    let wanted = Set(items.map { ObjectIdentifier($0.context) })
    return state.withLock { state in
      let taken = state.items.takeAll {
        !$0.isHeard && wanted.contains(ObjectIdentifier($0.context))
      }
      for item in taken { item.context.isTaken.store(true, ordering: .releasing) }
      return taken
    }
  }
}

/// Where an exchange keeps the store of a topic.
struct ReplayKey: Hashable, Sendable {
  /// The topic's name.
  let name: String
  /// The message type.
  let kind: ObjectIdentifier
}
