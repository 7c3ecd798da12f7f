package import JunctorChannels
package import JunctorCore

/// A frame that is on its way or waits to be sent again, and what hangs on it.
package struct Parcel: Sendable {
  /// What goes over the wire.
  package var frame: BridgeFrame
  /// How many messages it holds.
  package var count: Int
  /// Who waits to hear that it arrived.
  package var waiters: [OutgoingWaiter] = []

  /// Packs a frame.
  package init(frame: BridgeFrame, count: Int, waiters: [OutgoingWaiter] = []) {
    self.frame = frame
    self.count = count
    self.waiters = waiters
  }
}

/// What leaves over a bridge, as a plain value: each transition returns what to do once the lock was left.
///
/// Messages wait, are packed into parcels and sent, at most a window of parcels at a time, while there is a connection. A
/// parcel stays until it is settled; one whose fate is unknown is sent again before anything newer.
package struct OutboxState<Item: Sendable> {
  /// What the drain job does next.
  package enum Step: Sendable {
    /// Ends; somebody will start it again.
    case rest
    /// Packs these and sends them.
    case pack([Item])
    /// Sends a parcel again.
    case again(UInt64, Parcel)
    /// Gives up on these: there will never be a connection.
    case giveUp([Item], BridgeError)
  }

  /// What was counted of what left.
  package struct Counters: Sendable, Hashable {
    /// Messages that the server has, or that are on their way at most once.
    package var confirmed: UInt64 = 0
    /// Messages that will never get through: too large, not encodable, not wanted by the server.
    package var refused: UInt64 = 0
    /// Parcels that were sent again.
    package var resent: UInt64 = 0
  }

  /// What to do about a change.
  package struct Effects: Sendable {
    /// Whether a drain job has to be started.
    package var schedule = false
    /// Who waited for room.
    package var room: [Resume<Bool>] = []
    /// Who waited for the end of it all.
    package var rest: [Resume<Bool>] = []

    /// Resumes everybody.
    package func resume() {
      for resume in room { resume(true) }
      for resume in rest { resume(true) }
    }
  }

  private var waiting: OutboxLine<Item>
  private var book = SequenceBook()
  private var parcels: [UInt64: Parcel] = [:]
  private var unknown: Set<UInt64> = []
  private var lastID: UInt64 = 0
  private var roomWaiters = Waiters<Bool>()
  private var restWaiters = Waiters<Bool>()
  private var failure: BridgeError?
  private let window: Int
  private let batch: Int
  private let sendsAgain: Bool

  /// A drain job is under way.
  package private(set) var isDraining = false
  /// Nothing may be sent now: there is no connection, or a pause after a failure.
  package private(set) var isLinked = false
  /// A failure was temporary; the next attempt comes a little later.
  package private(set) var isPaused = false
  /// Nothing more is accepted.
  package private(set) var isClosed = false
  /// What was counted.
  package private(set) var counters = Counters()

  /// Begins empty, without a connection.
  package init(buffer: Int, window: Int, batch: Int, sendsAgain: Bool) {
    waiting = OutboxLine(room: buffer, dropsOldest: !sendsAgain)
    self.window = window
    self.batch = batch
    self.sendsAgain = sendsAgain
  }

  /// How many messages wait to be sent.
  package var pending: Int { waiting.count }
  /// How many parcels are on their way.
  package var inFlight: Int { parcels.count }
  /// What became of the messages that were handed in.
  package var arrivals: MailboxCounters { waiting.counters }
  /// Whether a message would make none give way.
  package var hasRoom: Bool { isClosed || waiting.hasRoom }

  // MARK: - Coming in

  /// What came of a message, and what is to be done about it.
  package struct Accepted {
    /// What came of it.
    package var outcome: MailboxOutcome
    /// What lost its place; dies outside the lock.
    package var displaced: Item?
    /// Whether a drain job has to be started.
    package var schedule = false
  }

  /// Takes a message in.
  ///
  /// - Parameters:
  ///   - channel: the channel that numbers it.
  ///   - make: makes what is kept, of its number and the numbers' epoch.
  package mutating func accept(
    _ channel: String, _ make: (UInt64, Int) -> Item
  ) -> Accepted {
    if isClosed { return Accepted(outcome: .closed) }
    let number = book.next(channel)
    let (outcome, displaced) = waiting.accept(make(number, book.epoch))
    return Accepted(outcome: outcome, displaced: displaced, schedule: shouldDrain())
  }

  private mutating func shouldDrain() -> Bool {
    guard !isDraining, canWork else { return false }
    isDraining = true
    return true
  }

  private var canWork: Bool {
    if failure != nil { return waiting.count > 0 }
    guard isLinked, !isPaused else { return false }
    return !unknown.isEmpty || (waiting.count > 0 && parcels.count < window)
  }

  // MARK: - Going out

  /// What the drain job does next; and who is to be told.
  package mutating func next() -> (step: Step, effects: Effects) {
    guard canWork else {
      isDraining = false
      return (.rest, Effects())
    }
    if let failure {
      let items = take(waiting.count)
      counters.refused += UInt64(items.count)
      return (.giveUp(items, failure), effectsOfRoom())
    }
    if let id = unknown.min(), let parcel = parcels[id] {
      unknown.remove(id)
      counters.resent += 1
      return (.again(id, parcel), Effects())
    }
    let items = take(batch)
    // What is being packed is on its way, so that nobody takes the outbox for empty meanwhile.
    packing += 1
    return (.pack(items), effectsOfRoom())
  }

  private var packing = 0

  private mutating func take(_ limit: Int) -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(min(limit, waiting.count))
    while items.count < limit, let item = waiting.takeFirst() { items.append(item) }
    waiting.counters.delivered += UInt64(items.count)
    return items
  }

  private mutating func effectsOfRoom() -> Effects {
    Effects(room: roomWaiters.isEmpty ? [] : roomWaiters.takeAll(), rest: takeResting())
  }

  /// Notes a parcel that is about to be sent. Returns its number.
  package mutating func send(_ parcel: Parcel) -> UInt64 {
    lastID += 1
    parcels[lastID] = parcel
    return lastID
  }

  /// Notes that all that was taken for packing is packed; so many messages could not be.
  package mutating func packed(refused: Int) -> Effects {
    packing -= 1
    counters.refused += UInt64(refused)
    return Effects(rest: takeResting())
  }

  // MARK: - What became of it

  /// What to do about a parcel that was settled.
  package struct Settlement: Sendable {
    /// The parcel, if it is done with; its waiters are to be told of the error, if there is one.
    package var parcel: Parcel?
    /// Whether to end the pause a little later.
    package var pausesNow = false
    /// What else to do.
    package var effects = Effects()
  }

  /// Notes what became of a parcel.
  package mutating func settle(_ id: UInt64, _ error: BridgeError?) -> Settlement {
    guard parcels[id] != nil, !unknown.contains(id) else { return Settlement() }
    var result = Settlement()
    if let error, error.isTemporary, sendsAgain, failure == nil {
      unknown.insert(id)
      if !isPaused {
        isPaused = true
        result.pausesNow = true
      }
      return result
    }
    let parcel = parcels.removeValue(forKey: id)
    let count = UInt64(parcel?.count ?? 0)
    if error == nil { counters.confirmed += count } else { counters.refused += count }
    result.parcel = parcel
    result.effects = Effects(schedule: shouldDrain(), rest: takeResting())
    return result
  }

  /// Ends the pause.
  package mutating func resume() -> Effects {
    isPaused = false
    return Effects(schedule: shouldDrain())
  }

  /// Notes how the engine is connected. Parcels whose fate is unknown for ever are returned.
  package mutating func link(_ state: BridgeConnectionState) -> (effects: Effects, lost: [Parcel]) {
    isLinked = state.isConnected
    var lost: [Parcel] = []
    switch state {
    case .failed(let error): failure = error
    case .closed: failure = Self.closedError
    case .connected, .connecting: break
    }
    if failure != nil {
      lost = parcels.sorted { $0.key < $1.key }.map(\.value)
      parcels = [:]
      unknown = []
      counters.refused += lost.reduce(0) { $0 + UInt64($1.count) }
    }
    return (Effects(schedule: shouldDrain(), rest: takeResting()), lost)
  }

  /// What whoever still waits is told when it is closed.
  package static var closedError: BridgeError {
    BridgeError(
      .closed,
      "Can't send 'the messages that wait': the bridge was closed. Await 'close()' while there is a "
        + "connection.")
  }

  // MARK: - Waiting

  /// Registers somebody who waits for room, unless there is some now.
  package mutating func waitForRoom(
    _ id: UInt64, _ resume: @escaping Resume<Bool>
  ) -> Suspension<Bool> {
    if hasRoom { return .answered(true) }
    roomWaiters.add(id, resume)
    return .waiting
  }

  /// Registers somebody who waits until everything is settled.
  package mutating func waitForRest(
    _ id: UInt64, _ resume: @escaping Resume<Bool>
  ) -> Suspension<Bool> {
    if isAtRest { return .answered(true) }
    restWaiters.add(id, resume)
    return .waiting
  }

  /// Takes the note of one who waits out.
  package mutating func stopWaiting(_ id: UInt64) -> Resume<Bool>? {
    roomWaiters.take(id) ?? restWaiters.take(id)
  }

  private var isAtRest: Bool { waiting.count == 0 && parcels.isEmpty && packing == 0 }

  private mutating func takeResting() -> [Resume<Bool>] {
    restWaiters.isEmpty || !isAtRest ? [] : restWaiters.takeAll()
  }

  // MARK: - The end

  /// Accepts nothing more; what waits is still sent.
  package mutating func close() -> Effects {
    isClosed = true
    return Effects(room: roomWaiters.takeAll())
  }

  /// Takes everything out that is not settled.
  package mutating func abandon() -> (items: [Item], parcels: [Parcel], effects: Effects) {
    isClosed = true
    let items = waiting.cancelAll()
    let lost = parcels.sorted { $0.key < $1.key }.map(\.value)
    parcels = [:]
    unknown = []
    counters.refused += lost.reduce(0) { $0 + UInt64($1.count) }
    return (items, lost, Effects(room: roomWaiters.takeAll(), rest: restWaiters.takeAll()))
  }
}
