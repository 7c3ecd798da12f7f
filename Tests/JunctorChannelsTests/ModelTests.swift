import Dispatch
import JunctorChannels
import JunctorTesting
import Testing

/// Channels against a plain model of what they promise.
@Suite struct ModelTests {
  /// One step, done to the channel and to the model alike.
  enum Step {
    case listen(Wish)
    case cancel(Int)
    case setPaused(Int, Bool)
    case kill(Int)
    case post(sender: Int?)
    case drain
  }

  /// What a listener asks for.
  struct Wish {
    enum Kind: Equatable { case plain, envelope, pattern, queued(limit: Int, dropsOldest: Bool) }
    var kind = Kind.plain
    var priority = 0
    var once = false
    var sender: Int?
    /// The owner's number; `nil` for a subscription.
    var owner: Int?
  }

  /// A message; `depth` tells how many posts it is nested in.
  struct Message: Sendable {
    var number: Int
    var depth: Int
  }

  /// What a listener does when it hears a message.
  enum Reaction {
    case nothing, post, cancel(UInt64), listen(Wish), kill(Int), pause(UInt64), consume, fail
  }

  /// The same for the channel and the model, whoever asks.
  static func reaction(of listener: Int, to message: Message, seed: UInt64) -> Reaction {
    var random = SplitMix(seed: seed ^ UInt64(listener) << 32 ^ UInt64(message.number))
    switch random.next(below: 24) {
    case 0, 1: return message.depth < 3 ? .post : .nothing
    case 2: return .cancel(random.next())
    case 3: return .listen(Wish(priority: random.next(below: 3) - 1, owner: random.next(below: 6)))
    case 4: return .kill(random.next(below: 6))
    case 5: return .pause(random.next())
    case 6: return .consume
    case 7, 8: return .fail
    default: return .nothing
    }
  }

  static func step(_ random: inout SplitMix, _ listeners: Int) -> Step {
    switch random.next(below: 16) {
    case 0...4 where listeners < 24:
      var wish = Wish()
      switch random.next(below: 8) {
      case 0: wish.kind = .envelope
      case 1: wish.kind = .pattern
      case 2, 3:
        wish.kind = .queued(limit: random.next(below: 6), dropsOldest: random.next(below: 2) == 0)
      default: break
      }
      wish.priority = [.min, -1, 0, 0, 0, 1, .max][random.next(below: 7)]
      if case .queued = wish.kind {} else { wish.once = random.next(below: 5) == 0 }
      if random.next(below: 5) == 0 { wish.sender = random.next(below: 2) }
      if random.next(below: 3) > 0 { wish.owner = random.next(below: 6) }
      return .listen(wish)
    case 0...6: return .cancel(random.next(below: 1 << 30))
    case 7: return .setPaused(random.next(below: 1 << 30), random.next(below: 3) == 0)
    case 8: return .kill(random.next(below: 6))
    case 9: return .drain
    default: return .post(sender: [nil, 0, 1][random.next(below: 3)])
    }
  }

  // Several threads, each with a channel and a model of its own, in one exchange: its patterns, its sweeping and its
  // tables are shared, and the order of each can be told.
  @Test(.timeLimit(.minutes(10)), arguments: [20_261_130, 7] as [UInt64])
  func `C5 C12 C13 C14 C16 C22 C23 C24 C25 C26 a hundred thousand random steps`(seed: UInt64) {
    print("seed \(seed)")
    let exchange = Exchange()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      Junctor.withDiagnostics { _ in
      } operation: {
        check(seed &+ UInt64(thread), thread, exchange, steps: 12_500)
      }
    }
  }

  private func check(_ seed: UInt64, _ thread: Int, _ exchange: Exchange, steps: Int) {
    let isQueued = thread % 2 == 1
    let world = ModelWorld("model.\(thread)", exchange, isQueued: isQueued, seed: seed)
    let model = PlainModel(isQueued: isQueued, seed: seed)
    var random = SplitMix(seed: seed)
    for number in 0..<steps {
      let step = Self.step(&random, model.listeners.count)
      world.perform(step)
      model.perform(step)
      let (happened, expected) = (world.takeEvents(), model.takeEvents())
      if happened != expected {
        Issue.record(
          "seed \(seed), step \(number): \(step)\nhappened \(happened)\nexpected \(expected)")
        return
      }
    }
    world.perform(.drain)
    model.perform(.drain)
    #expect(world.takeEvents() == model.takeEvents(), "seed \(seed)")
    #expect(world.counts() == model.counts(), "seed \(seed)")
    world.end()
  }
}
