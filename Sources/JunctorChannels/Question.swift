internal import JunctorCore
internal import Synchronization

/// What somebody asks on a `RequestChannel`, with the way to answer it.
///
/// ## Concurrency
/// May be used from any thread and kept: as long as anybody keeps it, the asker waits. Of several answers the first counts.
public struct Question<Request: Sendable, Reply: Sendable>: Sendable {
  /// What is asked.
  public let request: Request

  /// Tells the asker when nobody keeps the question.
  let holder: ReplyHolder<Reply>

  /// Answers.
  ///
  /// - Parameter answer: is handed to the asker.
  /// - Returns: whether it was the first answer, and somebody still waits for it.
  /// - Complexity: O(1).
  @discardableResult
  public func reply(_ answer: Reply) -> Bool { holder.slot.succeed(answer) }

  /// Lets the request fail.
  ///
  /// - Parameter error: is handed to the asker as the cause.
  /// - Returns: whether somebody still waited.
  /// - Complexity: O(1).
  @discardableResult
  public func fail(_ error: any Error) -> Bool {
    holder.slot.fail(.refused(holder.slot.name, error, holder.slot.site))
  }

  /// Lets the request fail because its time was over elsewhere.
  package func timeOut(after timeout: Duration) {
    holder.slot.fail(.timedOut(holder.slot.name, timeout, holder.slot.site))
  }

  /// Whether somebody still waits for an answer.
  ///
  /// - Complexity: O(1).
  public var isOpen: Bool { holder.slot.isOpen }

  /// Answers with what a closure returns, if it does, and keeps the question from those who come after then.
  func answer(_ envelope: Envelope, _ body: () throws -> Reply?) {
    guard isOpen else { return }
    do {
      guard let answer = try body() else { return }
      reply(answer)
    } catch {
      fail(error)
    }
    envelope.consume()
  }
}

/// A message type that goes by another name than its own.
protocol NamedMessage {
  /// What people are shown instead of the type's name.
  static var messageName: String { get }
}

extension Question: NamedMessage {
  static var messageName: String {
    "questions \(String(reflecting: Request.self)) → \(String(reflecting: Reply.self))"
  }
}

/// What people are shown of a message type.
func messageName(of type: Any.Type) -> String {
  (type as? any NamedMessage.Type)?.messageName ?? String(reflecting: type)
}

/// Tells the asker when nobody holds the question any longer.
final class ReplyHolder<Reply: Sendable>: Sendable {
  /// Where the answer goes.
  let slot: ReplySlot<Reply>

  /// Stands for all who keep the question.
  init(_ slot: ReplySlot<Reply>) { self.slot = slot }

  deinit { slot.giveUp() }
}

/// Where the first answer goes.
///
/// ## Concurrency
/// May be used from any thread. Retained by the asker, its timer and the question.
final class ReplySlot<Reply: Sendable>: Sendable {
  /// An answer, or why there is none.
  typealias Outcome = Result<Reply, any Error>

  private struct State {
    var outcome: Outcome?
    var asked = 0
    var waiters = Waiters<Outcome>()
  }

  /// The channel's name.
  let name: String
  /// Where it was asked.
  let site: SourceSite
  private let state = Mutex(State())
  private let began = WiringHistory.begin()

  /// Makes a slot without an answer.
  init(name: String, site: SourceSite) {
    self.name = name
    self.site = site
  }

  /// Whether there is no answer yet.
  var isOpen: Bool { state.withLock { $0.outcome == nil } }

  /// Notes how many were asked. Before the question is let go, so that `giveUp` can tell.
  func noteAsked(_ count: Int) { state.withLock { $0.asked = count } }

  /// Fails because nobody keeps the question any longer.
  func giveUp() {
    fail(.nobodyAnswered(name, asked: state.withLock { $0.asked }, site))
  }

  /// Answers. Returns whether it was the first answer.
  func succeed(_ answer: Reply) -> Bool { settle(.success(answer)) }

  /// Ends it without an answer. Returns whether it was open.
  @discardableResult
  func fail(_ error: RequestError) -> Bool { settle(.failure(error)) }

  private func settle(_ outcome: Outcome) -> Bool {
    let waiters = state.withLock { state -> [Resume<Outcome>]? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      return state.waiters.takeAll()
    }
    guard let waiters else { return false }
    if began != 0, WiringHistory.isOn {
      let kind: Wiring.EventKind = if case .success = outcome { .result } else { .failure }
      WiringHistory.record(kind, name, site: site, began: began, count: 1)
    }
    for resume in waiters { resume(outcome) }
    return true
  }

  /// Waits for the first answer.
  nonisolated(nonsending) func wait() async throws -> Reply {
    let outcome = await withSuspension(
      { id, resume in
        state.withLock { state -> Suspension<Outcome> in
          if let outcome = state.outcome { return .answered(outcome) }
          if Task.isCancelled { return .answered(.failure(CancellationError())) }
          state.waiters.add(id, resume)
          return .waiting
        }
      },
      leave: { id in self.state.withLock { $0.waiters.take(id) } },
      cancelled: .failure(CancellationError()))
    if case .failure = outcome { _ = settle(outcome) }
    return try outcome.get()
  }
}
