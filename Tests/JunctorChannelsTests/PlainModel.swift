/// What a channel promises, as plainly as it can be written: an array that is sorted at every post.
final class PlainModel {
  typealias Message = ModelTests.Message

  final class Owner {
    var isReleased = false
    var holds = 0
    var isAlive: Bool { !isReleased || holds > 0 }
  }

  final class Listener {
    let id: Int
    let wish: ModelTests.Wish
    let owner: Owner?
    var isRemoved = false
    var isPaused = false
    var waiting: [Int] = []
    var accepted: UInt64 = 0
    var delivered: UInt64 = 0
    var dropped: UInt64 = 0
    var cancelled: UInt64 = 0

    init(_ id: Int, _ wish: ModelTests.Wish, _ owner: Owner?) {
      self.id = id
      self.wish = wish
      self.owner = owner
    }

    var isCallable: Bool { !isRemoved && !isPaused && owner?.isAlive != false }
  }

  struct Receipt {
    var called = 0
    var queued = 0
    var dropped = 0
    var errors = 0
    var isConsumed = false
  }

  private(set) var all: [Int: Listener] = [:]
  private var owners: [Int: Owner] = [:]
  private var events: [String] = []
  private var nextListener = 0
  private var nextNumber = 0
  private var isDelivering = false
  private var deferred: [(Message, Int?)] = []
  private let isQueued: Bool
  private let seed: UInt64

  init(isQueued: Bool, seed: UInt64) {
    self.isQueued = isQueued
    self.seed = seed
  }

  /// Those who listen, in order.
  var listeners: [Listener] {
    all.values.filter { !$0.isRemoved && $0.owner?.isAlive != false }.sorted { one, other in
      one.wish.priority != other.wish.priority
        ? one.wish.priority > other.wish.priority : one.id < other.id
    }
  }

  func takeEvents() -> [String] {
    defer { events = [] }
    return events
  }

  func counts() -> [Int: [UInt64]] {
    var result: [Int: [UInt64]] = [:]
    for listener in listeners where listener.accepted > 0 {
      result[listener.id] = [
        listener.accepted, listener.delivered, listener.dropped, listener.cancelled,
      ]
    }
    return result
  }

  func perform(_ step: ModelTests.Step) {
    switch step {
    case .listen(let wish): listen(wish)
    case .cancel(let pick): cancel(UInt64(pick))
    case .setPaused(let pick, let isPaused): listener(UInt64(pick))?.isPaused = isPaused
    case .kill(let owner): kill(owner)
    case .post(let sender): post(sender, depth: 0)
    case .drain: drain()
    }
    // Nobody sees those again; without this the model would be the slower one.
    all = all.filter { !$0.value.isRemoved && $0.value.owner?.isAlive != false }
  }

  private func listen(_ wish: ModelTests.Wish) {
    nextListener += 1
    var owner: Owner?
    if let number = wish.owner {
      owner = owners[number] ?? Owner()
      owners[number] = owner
    }
    all[nextListener] = Listener(nextListener, wish, owner)
  }

  private func listener(_ pick: UInt64) -> Listener? {
    nextListener == 0 ? nil : all[Int(pick % UInt64(nextListener)) + 1]
  }

  private func cancel(_ pick: UInt64) {
    guard let listener = listener(pick) else { return }
    listener.isRemoved = true
    listener.waiting = []
  }

  private func kill(_ owner: Int) { owners.removeValue(forKey: owner)?.isReleased = true }

  private func drain() {
    for listener in all.values.sorted(by: { $0.id < $1.id }) where !listener.waiting.isEmpty {
      if listener.isCallable {
        events.append("queue of \(listener.id) \(listener.waiting)")
        listener.delivered += UInt64(listener.waiting.count)
      } else {
        listener.cancelled += UInt64(listener.waiting.count)
      }
      listener.waiting = []
    }
  }

  private func post(_ sender: Int?, depth: Int) {
    nextNumber += 1
    let message = Message(number: nextNumber, depth: depth)
    if isQueued, isDelivering {
      deferred.append((message, sender))
      return note(message.number, Receipt(), isDeferred: true)
    }
    isDelivering = true
    let receipt = deliver(message, sender)
    if isQueued {
      while !deferred.isEmpty {
        let (message, sender) = deferred.removeFirst()
        _ = deliver(message, sender)
      }
    }
    if depth == 0 { isDelivering = false }
    note(message.number, receipt, isDeferred: false)
  }

  private func note(_ number: Int, _ receipt: Receipt, isDeferred: Bool) {
    events.append(
      "posted \(number): \(receipt.called) \(receipt.queued) \(receipt.dropped) "
        + "\(receipt.errors) \(receipt.isConsumed) \(isDeferred)")
  }

  private func deliver(_ message: Message, _ sender: Int?) -> Receipt {
    var receipt = Receipt()
    for listener in listeners where listener.isCallable {
      if let wanted = listener.wish.sender, wanted != sender { continue }
      if case .queued(let limit, let dropsOldest) = listener.wish.kind {
        hand(message, to: listener, limit, dropsOldest, &receipt)
        continue
      }
      if listener.wish.once { listener.isRemoved = true }
      receipt.called += 1
      listener.owner?.holds += 1
      defer { listener.owner?.holds -= 1 }
      events.append("\(listener.id) hears \(message.number)")
      switch ModelTests.reaction(of: listener.id, to: message, seed: seed) {
      case .nothing: break
      case .post: post(nil, depth: message.depth + 1)
      case .cancel(let pick): cancel(pick)
      case .listen(let wish): listen(wish)
      case .kill(let owner): kill(owner)
      case .pause(let pick): self.listener(pick)?.isPaused = true
      case .consume:
        if listener.wish.kind != .plain {
          receipt.isConsumed = true
          return receipt
        }
      case .fail: receipt.errors += 1
      }
    }
    return receipt
  }

  private func hand(
    _ message: Message, to listener: Listener, _ limit: Int, _ dropsOldest: Bool,
    _ receipt: inout Receipt
  ) {
    listener.accepted += 1
    if listener.waiting.count < limit {
      listener.waiting.append(message.number)
      receipt.queued += 1
      return
    }
    listener.dropped += 1
    receipt.dropped += 1
    guard dropsOldest, limit > 0 else { return }
    listener.waiting.removeFirst()
    listener.waiting.append(message.number)
    receipt.queued += 1
  }
}
