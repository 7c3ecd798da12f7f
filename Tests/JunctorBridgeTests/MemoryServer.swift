import Dispatch
import JunctorBridge
import Synchronization

/// A server in memory, to prove the contract's rules themselves and to test bridges without a network.
///
/// It has what bridges ask of a server and nothing else; `isDown` and `refuses` make it fail as a real one may.
final class MemoryServer: Sendable {
  struct Subscriber: Sendable {
    let id: UInt64
    let subscription: BridgeSubscription
    let queue: DispatchQueue
    let deliver: @Sendable (BridgeDelivery) -> Void
  }

  struct Kept: Sendable {
    let number: UInt64
    let frame: BridgeFrame
    var attempt = 0
    var holder: UInt64?
  }

  struct Durable: Sendable {
    var subject: String
    var frames: [Kept] = []
  }

  struct State: Sendable {
    var lastID: UInt64 = 0
    var subscribers: [Subscriber] = []
    var durables: [String: Durable] = [:]
    var known: Set<String> = []
    var turn = 0
    var isDown = false
    var refusal: BridgeError?
    var losesConfirmations = 0
    var observers:
      [UInt64: (queue: DispatchQueue, tell: @Sendable (BridgeConnectionState) -> Void)] =
        [:]
    var published = 0
    var log: [BridgeFrame] = []
  }

  let state = Mutex(State())
  let news = DispatchQueue(label: "memory.news")

  func nextID() -> UInt64 {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  var connection: BridgeConnectionState {
    state.withLock { $0.isDown } ? .connecting(nil) : .connected
  }

  /// What was published so far, in order.
  var log: [BridgeFrame] { state.withLock { $0.log } }

  // MARK: - Failing

  /// Cuts every connection, or lets them be made again.
  func setDown(_ isDown: Bool) {
    state.withLock { state in
      state.isDown = isDown
      if isDown {
        for key in state.durables.keys {
          for index in state.durables[key]?.frames.indices ?? 0..<0 {
            state.durables[key]?.frames[index].holder = nil
          }
        }
      }
      let observers = Array(state.observers.values)
      let new: BridgeConnectionState = isDown ? .connecting(nil) : .connected
      news.async { for observer in observers { observer.tell(new) } }
    }
    if !isDown { pumpAll() }
  }

  // MARK: - Delivering

  func publish(_ frame: BridgeFrame, kept: Bool) -> BridgeError? {
    let (error, targets) = state.withLock { state -> (BridgeError?, [Subscriber]) in
      if state.isDown {
        return (BridgeError(.disconnected, "The server is down.", isTemporary: true), [])
      }
      if let refusal = state.refusal { return (refusal, []) }
      state.published += 1
      state.log.append(frame)
      if kept {
        let isNew = frame.messageID.map { state.known.insert($0).inserted } ?? true
        if isNew { Self.keep(frame, &state) }
        if state.losesConfirmations > 0 {
          state.losesConfirmations -= 1
          return (BridgeError(.unconfirmed, "The confirmation was lost.", isTemporary: true), [])
        }
        return (nil, [])
      }
      return (nil, Self.targets(frame.subject, &state))
    }
    for target in targets {
      target.queue.async { target.deliver(BridgeDelivery(frame: frame)) }
    }
    if kept { pumpAll() }
    return error
  }

  private static func keep(_ frame: BridgeFrame, _ state: inout State) {
    for key in state.durables.keys {
      guard let durable = state.durables[key], matches(durable.subject, frame.subject) else {
        continue
      }
      state.lastID += 1
      state.durables[key]?.frames.append(Kept(number: state.lastID, frame: frame))
    }
  }

  static func targets(_ subject: String, _ state: inout State) -> [Subscriber] {
    var targets: [Subscriber] = []
    var groups: [String: [Subscriber]] = [:]
    for subscriber in state.subscribers
    where !subscriber.subscription.promise.isAtLeastOnce
      && matches(subscriber.subscription.subject, subject)
    {
      if let group = subscriber.subscription.group {
        groups[group, default: []].append(subscriber)
      } else {
        targets.append(subscriber)
      }
    }
    for group in groups.keys.sorted() {
      guard let members = groups[group] else { continue }
      state.turn += 1
      targets.append(members[state.turn % members.count])
    }
    return targets
  }

  static func matches(_ pattern: String, _ subject: String) -> Bool {
    let parts = pattern.split(separator: ".")
    let names = subject.split(separator: ".")
    for (index, part) in parts.enumerated() {
      if part == ">" { return names.count > index }
      guard index < names.count, part == "*" || part == names[index] else { return false }
    }
    return parts.count == names.count
  }

  // MARK: - Keeping

  func pumpAll() {
    let keys = state.withLock { Array($0.durables.keys) }
    for key in keys { pump(key) }
  }

  private func pump(_ key: String) {
    while true {
      let next = state.withLock { state -> (Kept, Subscriber)? in
        guard !state.isDown, let durable = state.durables[key] else { return nil }
        let members = state.subscribers.filter {
          Self.key($0.subscription) == key
        }
        guard let window = members.first?.subscription.window,
          durable.frames.count(where: { $0.holder != nil }) < window,
          let index = durable.frames.firstIndex(where: { $0.holder == nil })
        else { return nil }
        state.turn += 1
        let member = members[state.turn % members.count]
        state.durables[key]?.frames[index].holder = member.id
        state.durables[key]?.frames[index].attempt += 1
        guard let kept = state.durables[key]?.frames[index] else { return nil }
        let delivery = BridgeDelivery(frame: kept.frame, attempt: kept.attempt) { [weak self] _ in
          self?.settle(key, kept.number)
        }
        // Under the lock: two threads that pump at once must not change places on the way to the queue.
        member.queue.async { member.deliver(delivery) }
        return (kept, member)
      }
      guard let (kept, member) = next else { return }
      let wait = Int(member.subscription.redeliverAfter / .milliseconds(1))
      news.asyncAfter(deadline: .now() + .milliseconds(wait)) { [weak self] in
        self?.expire(key, kept.number, kept.attempt)
      }
    }
  }

  private func settle(_ key: String, _ number: UInt64) {
    state.withLock { $0.durables[key]?.frames.removeAll { $0.number == number } }
    pump(key)
  }

  private func expire(_ key: String, _ number: UInt64, _ attempt: Int) {
    state.withLock { state in
      guard
        let index = state.durables[key]?.frames.firstIndex(where: {
          $0.number == number && $0.attempt == attempt
        })
      else { return }
      state.durables[key]?.frames[index].holder = nil
    }
    pump(key)
  }

  /// Whether anything is kept for a subscriber.
  func hasKept(for id: UInt64) -> Bool {
    state.withLock { state in
      guard let subscriber = state.subscribers.first(where: { $0.id == id }),
        let key = Self.key(subscriber.subscription)
      else { return false }
      return state.durables[key]?.frames.isEmpty == false
    }
  }

  static func key(_ subscription: BridgeSubscription) -> String? {
    subscription.promise.durable.map { "\($0)/\(subscription.subject)" }
  }

  // MARK: - Subscribing

  func add(_ subscriber: Subscriber) {
    state.withLock { state in
      state.subscribers.append(subscriber)
      if let key = Self.key(subscriber.subscription), state.durables[key] == nil {
        state.durables[key] = Durable(subject: subscriber.subscription.subject)
      }
    }
    pumpAll()
  }

  func remove(_ id: UInt64) {
    state.withLock { state in
      state.subscribers.removeAll { $0.id == id }
      for key in state.durables.keys {
        for index in state.durables[key]?.frames.indices ?? 0..<0
        where state.durables[key]?.frames[index].holder == id {
          state.durables[key]?.frames[index].holder = nil
        }
      }
    }
    pumpAll()
  }
}
