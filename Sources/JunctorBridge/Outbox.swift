internal import Dispatch
internal import JunctorChannels
internal import JunctorCore
internal import Synchronization

/// What is behind the half of a bridge that sends, whatever its messages are.
///
/// Posters leave their message and go on. A job on a queue of its own encodes what waits, packs it into frames and hands
/// them to the engine. It knows no message type: in another package's program what is generic is not specialised, and to
/// look up types costs more than all the rest.
///
/// ## Concurrency
/// May be used from any thread; encoding and the engine run with no lock held. Retained by the bridge and by the outlet
/// before it; retains the engine.
final class OutboxCore: Sendable {
  /// One message that waits to leave.
  struct Item: Sendable {
    /// Makes its bytes.
    let encode: @Sendable () throws -> [UInt8]
    /// The channel.
    let channel: String
    /// Its place among the channel's messages.
    let number: UInt64
    /// What few messages have; `nil` for most, which keeps an item small.
    let extras: Extras?
  }

  /// What few messages have.
  ///
  /// ## Concurrency
  /// Constant.
  final class Extras: Sendable {
    /// To which row of numbers it belongs.
    let epoch: Int
    /// The poster's trace.
    let trace: String?
    /// Who waits for its end.
    let waiter: OutgoingWaiter?

    /// Notes what there is; `nil` for nothing.
    init?(epoch: Int, trace: String?, waiter: OutgoingWaiter?) {
      guard epoch != 0 || trace != nil || waiter != nil else { return nil }
      self.epoch = epoch
      self.trace = trace
      self.waiter = waiter
    }
  }

  private let state: Mutex<OutboxState<Item>>
  private let queue: DispatchQueue
  private let plan: BridgePlan
  private let isHeardHere: @Sendable (String) -> Bool

  /// Makes one that sends as soon as the engine is connected.
  init(_ plan: BridgePlan, isHeardHere: @escaping @Sendable (String) -> Bool) {
    self.plan = plan
    self.isHeardHere = isHeardHere
    queue = DispatchQueue(label: "junctor.bridge.\(plan.name)")
    state = Mutex(
      OutboxState(
        buffer: plan.options.buffer, window: plan.options.window,
        batch: plan.options.batchLimit(plan.promise), sendsAgain: plan.promise.isAtLeastOnce))
  }

  // MARK: - The side of the poster

  /// Takes a message; `nil`, with nothing done, if only an empty place would do and there is none.
  func accept(
    _ post: OutgoingPost, onlyIfRoom: Bool, encode: @escaping @Sendable () throws -> [UInt8]
  ) -> MailboxOutcome? {
    // Of a group, the poster's own process handles what it listens to.
    if plan.options.group != nil, isHeardHere(post.channelName) { return .queued }
    let trace = TraceContext.outgoing
    let accepted = state.withLock { state -> OutboxState<Item>.Accepted? in
      if onlyIfRoom, !state.hasRoom { return nil }
      return state.accept(post.channelName) { number, epoch in
        Item(
          encode: encode, channel: post.channelName, number: number,
          extras: Extras(epoch: epoch, trace: trace, waiter: post.waiter))
      }
    }
    guard let accepted else { return nil }
    if let lost = accepted.displaced { noteDisplaced(lost) }
    if accepted.schedule { queue.async { self.drain() } }
    return accepted.outcome
  }

  private func noteDisplaced(_ lost: Item) {
    let error = BridgeError(
      .overflow,
      "Can't keep every message of '\(shown(lost.channel))': more wait to leave than the buffer "
        + "of \(plan.options.buffer) holds. Post less, await 'send', or make the buffer larger.")
    lost.fail(error)
    plan.note(error)
  }

  /// Waits until there is room. Returns `false` if the task was cancelled meanwhile.
  nonisolated(nonsending) func waitForRoom() async -> Bool {
    await withSuspension(
      { id, resume in
        state.withLock { Task.isCancelled ? .answered(false) : $0.waitForRoom(id, resume) }
      },
      leave: { id in self.state.withLock { $0.stopWaiting(id) } },
      cancelled: false)
  }

  /// Accepts nothing more.
  func close() { perform(state.withLock { $0.close() }) }

  /// How many messages wait.
  var pending: Int { state.withLock { $0.pending } }

  /// What became of the messages so far.
  var counters: MailboxCounters { state.withLock { $0.arrivals } }

  // MARK: - The side of the engine

  /// Notes how the engine is connected.
  func link(_ connection: BridgeConnectionState) {
    let (effects, lost) = state.withLock { $0.link(connection) }
    let error: BridgeError =
      if case .failed(let cause) = connection { cause } else { OutboxState<Item>.closedError }
    for parcel in lost { parcel.waiters.forEach { $0.fail(error) } }
    perform(effects)
  }

  private func perform(_ effects: OutboxState<Item>.Effects) {
    effects.resume()
    if effects.schedule { queue.async { self.drain() } }
  }

  private func drain() {
    while true {
      let (step, effects) = state.withLock { $0.next() }
      effects.resume()
      switch step {
      case .rest: return
      case .pack(let items): pack(items)
      case .again(let id, let parcel): publish(id, parcel)
      case .giveUp(let items, let error):
        plan.note(error)
        for item in items { item.fail(error) }
      }
    }
  }

  private func pack(_ items: [Item]) {
    var packer = Packer(plan, expecting: items.count)
    var refused = 0
    // The bridge's own name is a subject; those that a pattern matches are looked at as they come.
    var checked = plan.name
    for item in items {
      do throws(BridgeError) {
        if item.channel != checked {
          _ = try BridgeSubject(prefix: plan.options.prefix, channel: item.channel)
          checked = item.channel
        }
      } catch {
        refused += 1
        plan.note(error)
        item.fail(error)
        continue
      }
      do {
        if let parcel = packer.add(try item.encode(), item) { send(parcel) }
      } catch {
        refused += 1
        let error = BridgeError(
          .unencodable,
          "Can't encode a message of '\(shown(item.channel))': \(error). Mend the type or its codec."
        )
        plan.note(error)
        item.fail(error)
      }
    }
    if let parcel = packer.finish() { send(parcel) }
    perform(state.withLock { $0.packed(refused: refused) })
  }

  private func send(_ parcel: Parcel) {
    let id = state.withLock { $0.send(parcel) }
    publish(id, parcel)
  }

  private func publish(_ id: UInt64, _ parcel: Parcel) {
    plan.engine.publish(parcel.frame, plan.promise, isAwaited: !parcel.waiters.isEmpty) {
      [weak self] error in
      self?.settle(id, error)
    }
  }

  private func settle(_ id: UInt64, _ error: BridgeError?) {
    let result = state.withLock { $0.settle(id, error) }
    if let error { plan.note(error) }
    if let error, let parcel = result.parcel { parcel.waiters.forEach { $0.fail(error) } }
    if result.pausesNow {
      queue.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
        guard let self else { return }
        perform(state.withLock { $0.resume() })
      }
    }
    perform(result.effects)
  }

  // MARK: - The end

  /// Accepts nothing more and waits until everything is settled, for so long at most.
  nonisolated(nonsending) func drain(within limit: Duration) async {
    close()
    let end = DispatchTime.now() + limit.dispatchInterval
    // Not on the outbox's own queue, which may stand still because the network does.
    DispatchQueue.global().asyncAfter(deadline: end) { [weak self] in self?.abandon() }
    _ = await withSuspension(
      { id, resume in state.withLock { $0.waitForRest(id, resume) } },
      leave: { id in self.state.withLock { $0.stopWaiting(id) } }, cancelled: false)
    abandon()
  }

  /// Gives up on everything that is not settled.
  func abandon() {
    let (items, parcels, effects) = state.withLock { $0.abandon() }
    let error = OutboxState<Item>.closedError
    for item in items { item.fail(error) }
    for parcel in parcels { parcel.waiters.forEach { $0.fail(error) } }
    effects.resume()
  }

  /// Adds what was counted.
  func count(into status: inout BridgeStatus) {
    state.withLock { state in
      let arrivals = state.arrivals
      status.posted = arrivals.accepted
      status.dropped = arrivals.dropped + arrivals.cancelled
      status.pending = state.pending
      status.inFlight = state.inFlight
      status.confirmed = state.counters.confirmed
      status.refused = state.counters.refused
      status.resent = state.counters.resent
    }
  }
}

extension OutboxCore.Item {
  /// Hands an error to whoever waits for its end.
  fileprivate func fail(_ error: BridgeError) { extras?.waiter?.fail(error) }
}

/// The half of a bridge that sends, as the channel knows it.
///
/// ## Concurrency
/// As `OutboxCore`, which does it all. Retained by its registration and by the bridge.
final class Outbox<Message: Sendable>: ChannelOutlet {
  /// What does it all.
  let core: OutboxCore
  private let encode: @Sendable (Message) throws -> [UInt8]

  /// Makes one that sends as soon as the engine is connected.
  init(
    _ plan: BridgePlan, encode: @escaping @Sendable (Message) throws -> [UInt8],
    isHeardHere: @escaping @Sendable (String) -> Bool
  ) {
    core = OutboxCore(plan, isHeardHere: isHeardHere)
    self.encode = encode
  }

  func accept(_ message: Message, _ post: OutgoingPost) -> MailboxOutcome {
    let encode = encode
    return core.accept(post, onlyIfRoom: false) { try encode(message) } ?? .closed
  }

  func acceptIfRoom(_ message: Message, _ post: OutgoingPost) -> MailboxOutcome? {
    let encode = encode
    return core.accept(post, onlyIfRoom: true) { try encode(message) }
  }

  nonisolated(nonsending) func waitForRoom() async -> Bool { await core.waitForRoom() }

  func close() { core.close() }

  var pending: Int { core.pending }

  var counters: MailboxCounters { core.counters }
}
