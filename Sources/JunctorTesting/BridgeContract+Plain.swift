internal import JunctorBridge
internal import Synchronization

extension BridgeContract {
  /// The rules about frames that are sent at most once, and about requests.
  static let plainRules: [Rule] = [
    Rule("a frame arrives as it was sent") { world, subject in
      let (sender, receiver) = (try await world.connect(), try await world.connect())
      let collector = BridgeCollector()
      let route = receiver.subscribe(BridgeSubscription(subject: subject("x"))) {
        collector.take($0)
      }
      try await route.ready()
      let frames = [0, 1, 200_000].map { size in
        BridgeFrame(
          subject: subject("x"), headers: ["Junctor": "a;b;c", "Other": "\(size)"],
          payload: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      }
      for frame in frames { sender.publish(frame, .atMostOnce, isAwaited: false) { _ in } }
      try subject.require(
        await collector.wait(for: 3, within: world.patience), "\(collector.all.count) of 3 arrived")
      try subject.require(
        collector.all.map(\.frame) == frames, "subjects, headers or contents are others")
      await route.close(within: world.patience)
    },
    Rule("frames of one sender arrive in their order") { world, subject in
      let (sender, receiver) = (try await world.connect(), try await world.connect())
      let collector = BridgeCollector()
      let route = receiver.subscribe(BridgeSubscription(subject: subject("x"))) {
        collector.take($0)
      }
      try await route.ready()
      for index in 0..<2_000 {
        sender.publish(
          BridgeFrame(subject: subject("x"), payload: Array("\(index)".utf8)), .atMostOnce,
          isAwaited: false
        ) { _ in }
      }
      try subject.require(
        await collector.wait(for: 2_000, within: world.patience),
        "\(collector.all.count) of 2000 arrived")
      try subject.require(
        collector.texts == (0..<2_000).map(String.init), "they changed places")
      await route.close(within: world.patience)
    },
    Rule("'*' stands for one part and '>' for all that follow") { world, subject in
      let (sender, receiver) = (try await world.connect(), try await world.connect())
      let (one, all) = (BridgeCollector(), BridgeCollector())
      let first = receiver.subscribe(BridgeSubscription(subject: subject("a.*"))) { one.take($0) }
      let second = receiver.subscribe(BridgeSubscription(subject: subject("a.>"))) { all.take($0) }
      try await first.ready()
      try await second.ready()
      for name in ["a", "a.b", "a.b.c", "b.c", "a.end"] {
        sender.publish(
          BridgeFrame(subject: subject(name), payload: Array(name.utf8)), .atMostOnce,
          isAwaited: false
        ) { _ in }
      }
      try subject.require(
        await one.wait(for: 2, within: world.patience), "'*' got \(one.texts) only")
      try subject.require(
        await all.wait(for: 3, within: world.patience), "'>' got \(all.texts) only")
      try subject.require(one.texts == ["a.b", "a.end"], "'*' got \(one.texts)")
      try subject.require(all.texts == ["a.b", "a.b.c", "a.end"], "'>' got \(all.texts)")
      await first.close(within: world.patience)
      await second.close(within: world.patience)
    },
    Rule("of a group one member gets each frame") { world, subject in
      let sender = try await world.connect()
      let collector = BridgeCollector()
      var routes: [any BridgeRoute] = []
      for _ in 0..<3 {
        let engine = try await world.connect()
        let route = engine.subscribe(BridgeSubscription(subject: subject("x"), group: "g")) {
          collector.take($0)
        }
        try await route.ready()
        routes.append(route)
      }
      for index in 0..<300 { _ = await sender.publish(subject("x"), "\(index)") }
      try subject.require(
        await collector.wait(for: 300, within: world.patience),
        "\(collector.all.count) of 300 arrived")
      for route in routes { await route.close(within: world.patience) }
      try subject.require(
        Set(collector.texts).count == 300 && collector.all.count == 300,
        "\(collector.all.count) arrived of 300, \(Set(collector.texts).count) of them different")
    },
    Rule("a request finds an answer, nobody, or no time") { world, subject in
      let (asker, answerer) = (try await world.connect(), try await world.connect())
      guard case .failure(let nobody) = await asker.ask(subject("x"), "?", world.patience) else {
        throw Violation(description: "Somebody answered who does not exist.")
      }
      try subject.require(
        nobody.code == .nobodyAnswered, "nobody was there, and the error is \(nobody.code)")
      let route = answerer.subscribe(BridgeSubscription(subject: subject("x"))) { delivery in
        let text = String(decoding: delivery.frame.payload, as: UTF8.self)
        if text == "2" {
          delivery.reply?(
            BridgeFrame(subject: "", headers: ["Kind": "answer"], payload: Array("4".utf8)))
        }
      }
      try await route.ready()
      guard case .success(let answer) = await asker.ask(subject("x"), "2", world.patience) else {
        throw Violation(description: "The answer did not arrive.")
      }
      try subject.require(
        answer.payload == Array("4".utf8) && answer.headers["Kind"] == "answer",
        "another answer arrived")
      guard case .failure(let late) = await asker.ask(subject("x"), "3", .milliseconds(100)) else {
        throw Violation(description: "An answer arrived that nobody gave.")
      }
      try subject.require(
        late.code == .timedOut, "the time was over, and the error is \(late.code)")
      await route.close(within: world.patience)
    },
    Rule("who closes a subscription has had what arrived, and gets nothing more") {
      world, subject in
      let (sender, receiver) = (try await world.connect(), try await world.connect())
      let collector = BridgeCollector()
      let route = receiver.subscribe(BridgeSubscription(subject: subject("x"))) {
        collector.take($0)
      }
      try await route.ready()
      for index in 0..<500 { _ = await sender.publish(subject("x"), "\(index)") }
      // What was sent before another frame that has arrived has arrived.
      try subject.require(
        await collector.wait(for: 1, within: world.patience), "nothing arrived")
      _ = await receiver.publish(subject("y"))
      await route.close(within: world.patience)
      let count = collector.all.count
      for index in 0..<100 { _ = await sender.publish(subject("x"), "late \(index)") }
      try subject.require(
        collector.all.count == count, "\(collector.all.count - count) came after the end")
      try subject.require(
        collector.texts == (0..<count).map(String.init), "what came has holes")
    },
    Rule("whoever observes is told the present state first") { world, _ in
      let engine = try await world.connect()
      let log = StateLog()
      let stop = engine.observe { log.append($0) }
      let first = await log.first()
      stop()
      guard first == engine.state || engine.state.isConnected else {
        throw Violation(description: "The first state told was \(first), not the present one.")
      }
    },
  ]
}

/// The states that an engine told.
///
/// ## Concurrency
/// May be used from any thread.
final class StateLog: Sendable {
  private struct State {
    var all: [BridgeConnectionState] = []
    var waiter: CheckedContinuation<BridgeConnectionState, Never>?
  }

  private let state = Mutex(State())

  /// Adds a state.
  func append(_ new: BridgeConnectionState) {
    let waiter = state.withLock { state in
      state.all.append(new)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: new)
  }

  /// Waits for the first state.
  func first() async -> BridgeConnectionState {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state in
        if state.all.isEmpty { state.waiter = continuation }
        return state.all.first
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}
