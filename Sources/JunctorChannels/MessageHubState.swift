internal import JunctorCore

/// The buffers of one message sequence as a plain value: each transition returns what to do once the lock was left.
struct MessageHubState<Message: Sendable> {
  /// What one iterator has: its buffer, and those who wait for its next message.
  struct Cursor {
    /// What waits for the iterator.
    var buffer: BoundedBuffer<Message>
    /// Those who wait for its next message.
    var waiters = Waiters<Message?>()
    /// Whether it gets nothing more.
    var hasEnded = false
  }

  /// What is kept for iterators that may still come; gone with the sequence.
  private var root: BoundedBuffer<Message>?
  /// The iterators by their numbers.
  var cursors: [UInt64: Cursor] = [:]
  /// The listening, to be ended with the last who wants messages.
  var registration: Registration?
  /// Those who wait for room in every buffer.
  var roomWaiters = Waiters<Bool>()
  private var isFinished = false
  /// What became of the messages of iterators that have gone.
  private var past = MailboxCounters()
  private var hasIterated = false

  /// Keeps messages for iterators to come, within a limit.
  init(limit: MailboxLimit) { root = BoundedBuffer(limit: limit) }

  /// What came of a message, and what is to be done about it outside the lock.
  struct Accepted {
    /// What came of it.
    var outcome: MailboxOutcome
    /// Those who were waiting for the message.
    var resume: [Resume<Message?>] = []
    /// What lost its place; dies outside the lock.
    var displaced: [Message] = []
  }

  /// Whether anybody may still want a message.
  var isWanted: Bool { root != nil || !cursors.isEmpty }

  /// Puts a message into every buffer, or hands it to whoever waits for one.
  ///
  /// - Complexity: O(number of iterators).
  mutating func accept(_ message: Message) -> Accepted {
    guard !isFinished, isWanted else { return Accepted(outcome: .closed) }
    var result = Accepted(outcome: .queued)
    if root != nil, let (outcome, displaced) = root?.accept(message) {
      if let displaced { result.displaced.append(displaced) }
      // Where somebody iterates, what is kept for others beside is nobody's loss.
      if !hasIterated { result.outcome = outcome }
    }
    // By index, in place: a loop over the keys would hold the dictionary, and the first change copy all that waits in it.
    var index = cursors.startIndex
    while index != cursors.endIndex {
      defer { cursors.formIndex(after: &index) }
      if cursors.values[index].hasEnded { continue }
      if let resume = cursors.values[index].waiters.takeFirst() {
        cursors.values[index].buffer.counters.accepted += 1
        cursors.values[index].buffer.counters.delivered += 1
        result.resume.append(resume)
      } else {
        let (outcome, displaced) = cursors.values[index].buffer.accept(message)
        if let displaced { result.displaced.append(displaced) }
        if outcome != .queued { result.outcome = outcome }
      }
    }
    return result
  }

  // MARK: - Room

  /// Whether a message would displace none that somebody waits to take.
  var hasRoom: Bool {
    if isFinished { return true }
    if !hasIterated { return root.map { $0.hasRoom || $0.isAlwaysFull } ?? true }
    return cursors.values.allSatisfy {
      $0.hasEnded || !$0.waiters.isEmpty || $0.buffer.hasRoom || $0.buffer.isAlwaysFull
    }
  }

  /// Notes who waits for room, unless there is some now.
  mutating func waitForRoom(_ id: UInt64, _ resume: @escaping Resume<Bool>) -> Suspension<Bool> {
    if hasRoom { return .answered(true) }
    roomWaiters.add(id, resume)
    return .waiting
  }

  /// Those to be told that there is room now. All of them: with several buffers the first may not be served by it.
  private mutating func wakeIfRoom() -> [Resume<Bool>] {
    !roomWaiters.isEmpty && hasRoom ? roomWaiters.takeAll() : []
  }

  // MARK: - Iterators

  /// Makes the buffer of one more iterator.
  mutating func addCursor(_ id: UInt64) {
    // A sequence that still is there when an iterator of it is made: its buffer, and what became of it, is the
    // iterator's beginning.
    guard let root else { return }
    hasIterated = true
    cursors[id] = Cursor(buffer: root)
  }

  /// Takes an iterator's next message, or notes who waits for it. Those to be told of room are added to `wake`.
  mutating func next(
    _ cursor: UInt64, _ id: UInt64, _ resume: @escaping Resume<Message?>,
    _ wake: inout [Resume<Bool>]
  ) -> Suspension<Message?> {
    guard cursors[cursor]?.hasEnded == false else { return .answered(nil) }
    if let message = cursors[cursor]?.buffer.takeFirst() {
      cursors[cursor]?.buffer.counters.delivered += 1
      wake = wakeIfRoom()
      return .answered(message)
    }
    if isFinished { return .answered(nil) }
    cursors[cursor]?.waiters.add(id, resume)
    wake = wakeIfRoom()
    return .waiting
  }

  /// Takes the note of one who waits for a message out. Returns what resumes it.
  mutating func stopWaiting(_ cursor: UInt64, _ id: UInt64) -> Resume<Message?>? {
    cursors[cursor]?.waiters.take(id)
  }

  /// What is to be done outside the lock about an iterator that has ended.
  struct Ended {
    /// What it had not taken.
    var left: [Message] = []
    /// Those who waited for its next message: several, where it was copied.
    var waiters: [Resume<Message?>] = []
    /// Those who waited for room.
    var wake: [Resume<Bool>] = []

    /// Tells everybody.
    func tell() {
      for resume in waiters { resume(nil) }
      for resume in wake { resume(true) }
    }
  }

  /// Ends one iterator. What is to be done about it is returned.
  mutating func endCursor(_ id: UInt64) -> Ended {
    guard cursors[id]?.hasEnded == false else { return Ended() }
    cursors[id]?.hasEnded = true
    var ended = Ended()
    ended.left = cursors[id]?.buffer.cancelAll() ?? []
    ended.waiters = cursors[id]?.waiters.takeAll() ?? []
    if let counters = cursors[id]?.buffer.counters { past.add(counters) }
    ended.wake = wakeIfRoom()
    return ended
  }

  /// Gives up what is kept for iterators that may still come; it is returned, to die elsewhere.
  mutating func endRoot() -> (left: [Message], wake: [Resume<Bool>]) {
    guard var buffer = root.take() else { return ([], []) }
    let left = buffer.cancelAll()
    if !hasIterated { past.add(buffer.counters) }
    return (left, wakeIfRoom())
  }

  /// Accepts nothing more. Returns those who wait in vain, for messages and for room.
  mutating func finish() -> (ended: [Resume<Message?>], wake: [Resume<Bool>]) {
    isFinished = true
    var ended: [Resume<Message?>] = []
    for id in cursors.keys { ended += cursors[id]?.waiters.takeAll() ?? [] }
    return (ended, roomWaiters.takeAll())
  }

  // MARK: - Counting

  /// How many messages wait, all iterators together.
  var pending: Int {
    if !hasIterated { return root?.count ?? 0 }
    return cursors.values.reduce(0) { $0 + $1.buffer.count }
  }

  /// What became of the messages, all iterators together.
  var counters: MailboxCounters {
    if !hasIterated { return root?.counters ?? past }
    var sum = past
    for cursor in cursors.values where !cursor.hasEnded { sum.add(cursor.buffer.counters) }
    return sum
  }
}
