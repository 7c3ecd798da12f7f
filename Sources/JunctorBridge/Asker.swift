internal import Dispatch
internal import JunctorChannels
internal import JunctorCore
internal import Synchronization

/// The half of a bridge that asks other processes what nobody here has answered.
///
/// ## Concurrency
/// May be used from any thread; codecs and the engine run with no lock held. Retained by its registration and the bridge;
/// keeps every question until its answer comes or its time is over.
final class Asker<Request: Sendable, Reply: Sendable>: ChannelOutlet {
  private struct State {
    var open = 0
    var isClosed = false
    var counters = MailboxCounters()
    var refused: UInt64 = 0
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let plan: BridgePlan
  private let encode: @Sendable (Request) throws -> [UInt8]
  private let decode: @Sendable ([UInt8], Int) throws -> Reply

  /// Makes one that asks through an engine.
  init(
    _ plan: BridgePlan, encode: @escaping @Sendable (Request) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8], Int) throws -> Reply
  ) {
    self.plan = plan
    self.encode = encode
    self.decode = decode
    queue = DispatchQueue(label: "junctor.bridge.\(plan.name)")
  }

  func accept(_ question: Question<Request, Reply>, _ post: OutgoingPost) -> MailboxOutcome {
    let outcome = state.withLock { state -> MailboxOutcome in
      if state.isClosed { return .closed }
      state.counters.accepted += 1
      guard state.open < plan.options.buffer else {
        state.counters.dropped += 1
        return .droppedNewest
      }
      state.open += 1
      return .queued
    }
    switch outcome {
    case .queued:
      let trace = TraceContext.outgoing
      queue.async { self.ask(question, trace) }
    case .droppedNewest:
      let error = BridgeError(
        .overflow,
        "Can't ask '\(shown(plan.name))': the buffer of \(plan.options.buffer) is full of what waits for "
          + "an answer. Ask less, or make the buffer larger.")
      plan.note(error)
      question.fail(error)
    case .displacedOldest, .closed: break
    }
    return outcome
  }

  func acceptIfRoom(_ question: Question<Request, Reply>, _ post: OutgoingPost) -> MailboxOutcome? {
    accept(question, post)
  }

  nonisolated(nonsending) func waitForRoom() async -> Bool { true }

  func close() { state.withLock { $0.isClosed = true } }

  var pending: Int { state.withLock { $0.open } }

  var counters: MailboxCounters { state.withLock { $0.counters } }

  private func ask(_ question: Question<Request, Reply>, _ trace: String?) {
    guard question.isOpen else { return end() }
    do {
      let mark = MessageMark(
        origin: plan.origin, sequence: 1, count: 0, schema: plan.options.schema, type: plan.type)
      var frame = BridgeFrame(
        subject: plan.subject.text, headers: [MessageMark.header: mark.text],
        payload: try encode(question.request))
      if let trace { frame.headers[TraceContext.header] = trace }
      // An engine may keep what it calls for as long as it likes, and with it the asker would wait.
      let held = HeldQuestion(question)
      plan.engine.request(frame, timeout: plan.options.requestTimeout) { result in
        if let question = held.take() { self.settle(question, result) }
      }
    } catch {
      let error = BridgeError(
        .unencodable,
        "Can't encode a question to '\(shown(plan.name))': \(error). Mend the type or its codec.")
      plan.note(error)
      question.fail(error)
      end(refused: 1)
    }
  }

  private func settle(
    _ question: Question<Request, Reply>, _ result: Result<BridgeFrame, BridgeError>
  ) {
    defer { end(refused: { if case .failure = result { 1 } else { 0 } }()) }
    switch result {
    case .success(let frame): read(frame, question)
    // Nobody keeps the question then, which says all there is to say.
    case .failure(let error) where error.code == .nobodyAnswered: return
    case .failure(let error) where error.code == .timedOut:
      question.timeOut(after: plan.options.requestTimeout)
    case .failure(let error):
      plan.note(error)
      question.fail(error)
    }
  }

  private func read(_ frame: BridgeFrame, _ question: Question<Request, Reply>) {
    let mark = frame.headers[MessageMark.header].flatMap { MessageMark($0) }
    switch frame.headers[ReplyKind.header].flatMap(ReplyKind.init) ?? .answer {
    case .none: return
    case .error:
      question.fail(
        BridgeError(
          .refused,
          "Can't get an answer to '\(shown(plan.name))': the process that was asked says "
            + "'\(shown(String(decoding: frame.payload, as: UTF8.self)))'. Handle the cause there.")
      )
    case .answer:
      do {
        question.reply(try decode(frame.payload, mark?.schema ?? 0))
      } catch {
        let error = BridgeError(
          .undecodable,
          "Can't read an answer to '\(shown(plan.name))': \(error). Bring both sides to one type "
            + "and schema.")
        plan.note(error)
        question.fail(error)
      }
    }
  }

  private func end(refused: UInt64 = 0) {
    state.withLock { state in
      state.open -= 1
      state.counters.delivered += 1
      state.refused += refused
    }
  }

  /// Adds what was counted.
  func count(into status: inout BridgeStatus) {
    state.withLock { state in
      status.posted = state.counters.accepted
      status.dropped = state.counters.dropped
      status.refused = state.refused
      status.confirmed = state.counters.delivered - state.refused
      status.inFlight = state.open
    }
  }
}

/// A question until its answer comes.
///
/// ## Concurrency
/// May be used from any thread.
private final class HeldQuestion<Request: Sendable, Reply: Sendable>: Sendable {
  private let question: Mutex<Question<Request, Reply>?>

  /// Keeps a question.
  init(_ question: Question<Request, Reply>) { self.question = Mutex(question) }

  /// Lets it go, to whoever is the first to ask.
  func take() -> Question<Request, Reply>? {
    question.withLock { question in
      defer { question = nil }
      return question
    }
  }
}
