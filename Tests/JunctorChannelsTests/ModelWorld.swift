import JunctorChannels
import JunctorTesting
import Synchronization

/// The channel that the model is compared with, and what it takes to use it.
///
/// One thread uses it; the lock is there because handlers must be `Sendable`, and is never held around a channel's call.
final class ModelWorld: Sendable {
  typealias Message = ModelTests.Message

  private struct Failure: Error {}

  private struct State {
    var registrations: [Int: Registration] = [:]
    var subscriptions: [Int: Subscription] = [:]
    var owners: [Int: Owner] = [:]
    var events: [String] = []
    var queued: [Int: [Int]] = [:]
    var nextListener = 0
    var nextNumber = 0
  }

  private let state = Mutex(State())
  private let senders = [Owner("0"), Owner("1")]
  private let executor = ManualExecutor()
  private let channel: Channel<Message>
  private let seed: UInt64

  init(_ name: String, _ exchange: Exchange, isQueued: Bool, seed: UInt64) {
    channel = Channel(
      name, in: exchange,
      options: ChannelOptions(order: isQueued ? .queued : .nested, errors: .rethrowAfterAll))
    self.seed = seed
  }

  func perform(_ step: ModelTests.Step) {
    switch step {
    case .listen(let wish): listen(wish)
    case .cancel(let pick): cancel(UInt64(pick))
    case .setPaused(let pick, let isPaused): setPaused(UInt64(pick), isPaused)
    case .kill(let owner): kill(owner)
    case .post(let sender): post(sender, depth: 0)
    case .drain:
      executor.runAll()
      let heard = state.withLock { state in
        defer { state.queued = [:] }
        return state.queued
      }
      for (listener, numbers) in heard.sorted(by: { $0.key < $1.key }) {
        note("queue of \(listener) \(numbers)")
      }
    }
  }

  func takeEvents() -> [String] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// What became of the queued messages of those who still listen and live.
  func counts() -> [Int: [UInt64]] {
    let all = state.withLock { $0.registrations }
    var result: [Int: [UInt64]] = [:]
    for (listener, registration) in all where registration.isActive {
      guard let counts = registration.deliveryCounts, counts.accepted > 0 else { continue }
      result[listener] = [counts.accepted, counts.delivered, counts.dropped, counts.cancelled]
    }
    return result
  }

  func end() {
    let all = state.withLock { state in
      defer { state = State() }
      return state
    }
    for registration in all.registrations.values { registration.cancel() }
  }

  private func note(_ event: String) { state.withLock { $0.events.append(event) } }

  // MARK: - Steps

  private func listen(_ wish: ModelTests.Wish) {
    let id = state.withLock { state in
      state.nextListener += 1
      return state.nextListener
    }
    let priority = ListenerPriority(rawValue: wish.priority)
    let sender = wish.sender.map { senders[$0] }
    var mode = DeliveryMode.automatic
    var buffer = BufferPolicy.standard
    if case .queued(let limit, let dropsOldest) = wish.kind {
      mode = .executor(executor)
      buffer = dropsOldest ? .dropOldest(limit) : .dropNewest(limit)
    }
    guard let number = wish.owner else {
      let token = subscribe(id, wish, priority, mode, buffer, sender)
      state.withLock { state in
        state.subscriptions[id] = token
        state.registrations[id] = token.registration
      }
      return
    }
    let owner = state.withLock { state in
      let owner = state.owners[number] ?? Owner("\(number)")
      state.owners[number] = owner
      return owner
    }
    let token: Registration
    switch wish.kind {
    case .plain:
      token = channel.listen(for: owner, priority: priority, from: sender, once: wish.once) {
        [self] _, message in try hear(id, message, nil)
      }
    case .envelope:
      token = channel.listen(for: owner, priority: priority, from: sender, once: wish.once) {
        [self] _, message, envelope in try hear(id, message, envelope)
      }
    case .pattern:
      token = channel.exchange.listen(
        matching: ChannelPattern(channel.name), of: Message.self, for: owner, priority: priority,
        from: sender, once: wish.once
      ) { [self] _, message, envelope in try hear(id, message, envelope) }
    case .queued:
      token = channel.listen(
        for: owner, priority: priority, on: mode, buffer: buffer, from: sender
      ) { [self] _, message in hearQueued(id, message) }
    }
    state.withLock { $0.registrations[id] = token }
  }

  private func subscribe(
    _ id: Int, _ wish: ModelTests.Wish, _ priority: ListenerPriority, _ mode: DeliveryMode,
    _ buffer: BufferPolicy, _ sender: Owner?
  ) -> Subscription {
    switch wish.kind {
    case .plain:
      channel.listen(priority: priority, from: sender, once: wish.once) { [self] message in
        try hear(id, message, nil)
      }
    case .envelope:
      channel.listen(priority: priority, from: sender, once: wish.once) {
        [self] message, envelope in try hear(id, message, envelope)
      }
    case .pattern:
      channel.exchange.listen(
        matching: ChannelPattern(channel.name), of: Message.self, priority: priority, from: sender,
        once: wish.once
      ) { [self] message, envelope in try hear(id, message, envelope) }
    case .queued:
      channel.listen(priority: priority, on: mode, buffer: buffer, from: sender) {
        [self] message in hearQueued(id, message)
      }
    }
  }

  private func registration(_ pick: UInt64) -> Registration? {
    state.withLock { state in
      state.nextListener == 0
        ? nil : state.registrations[Int(pick % UInt64(state.nextListener)) + 1]
    }
  }

  private func cancel(_ pick: UInt64) { registration(pick)?.cancel() }

  private func setPaused(_ pick: UInt64, _ isPaused: Bool) {
    if isPaused { registration(pick)?.pause() } else { registration(pick)?.resume() }
  }

  private func kill(_ owner: Int) {
    // Dies here, after the lock was left.
    _ = state.withLock { $0.owners.removeValue(forKey: owner) }
  }

  private func post(_ sender: Int?, depth: Int) {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    let message = Message(number: number, depth: depth)
    let receipt: Receipt
    if let sender {
      receipt = channel.post(message, from: senders[sender])
    } else {
      receipt = channel.post(message)
    }
    note(
      "posted \(number): \(receipt.called) \(receipt.queued) \(receipt.dropped) "
        + "\(receipt.errors.count) \(receipt.isConsumed) \(receipt.isDeferred)")
  }

  // MARK: - Listeners

  private func hearQueued(_ id: Int, _ message: Message) {
    state.withLock { $0.queued[id, default: []].append(message.number) }
  }

  private func hear(_ id: Int, _ message: Message, _ envelope: Envelope?) throws {
    note("\(id) hears \(message.number)")
    switch ModelTests.reaction(of: id, to: message, seed: seed) {
    case .nothing: break
    case .post: post(nil, depth: message.depth + 1)
    case .cancel(let pick): cancel(pick)
    case .listen(let wish): listen(wish)
    case .kill(let owner): kill(owner)
    case .pause(let pick): setPaused(pick, true)
    case .consume: envelope?.consume()
    case .fail: throw Failure()
    }
  }
}
