internal import JunctorCore
internal import Synchronization

/// Answers once for many: gathers what several objects report to one completion handler.
///
/// A system that calls an application's delegate hands it a completion handler that must be called exactly once. Where
/// several objects stand in the delegate's place, each gets a handler of its own from a `Gather`, and the system's is called
/// with one combined result when all have answered, or when time is up:
///
/// ```swift
/// func application(_ application: Application, didReceive message: Message,
///                  fetchCompletionHandler done: @escaping @Sendable (FetchResult) -> Void) {
///   let gather = Gather(fallback: .noData, timeLimit: .seconds(25), combine: FetchResult.better, completion: done)
///   parts.forEach { $0.didReceive(message, done: gather.part("\(type(of: $0))")) }
///   gather.close()
/// }
/// ```
///
/// - The completion is called once: when `close()` was called and every part has answered, or when the time limit is over.
/// - Answers are combined in the order in which the parts were made, whichever comes first.
/// - A part's second answer, and one that comes after the completion, is reported and ignored.
/// - A part whose handler goes away without having been called counts as answered with nothing, at once, and is reported.
/// - A part that has not answered when time is up is reported by its label. The completion does not wait for it.
/// - If nobody answers, the completion gets the fallback.
///
/// ## Concurrency
/// May be used from any thread. The completion runs on the thread of the last answer, of `close()`, or of the timer, with no
/// lock held; `combine` runs there just before it. A gather is kept by its parts' handlers and by its timer, until it has
/// completed; then everything is let go.
public final class Gather<Answer: Sendable>: Sendable {
  /// Puts off a piece of work; returns what calls it off.
  public typealias Timer =
    @Sendable (_ limit: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  private let fallback: Answer
  private let combine: @Sendable (Answer, Answer) -> Answer
  private let site: SourceSite
  private let state: Mutex<GatherState<Answer>>

  /// Begins to gather.
  ///
  /// - Parameters:
  ///   - fallback: what the completion gets if nobody answers.
  ///   - limit: how long to wait at most; `nil` for as long as it takes.
  ///   - timer: measures the limit; another one than the default is for tests.
  ///   - fileID: the file that gathers.
  ///   - line: the line that gathers.
  ///   - combine: makes one answer of what was combined so far and the next part's.
  ///   - completion: is called once, with the combined answer.
  /// - Complexity: O(1).
  public init(
    fallback: Answer, timeLimit limit: Duration? = nil, timer: Timer = GatherTimer.dispatch,
    fileID: StaticString = #fileID, line: UInt = #line,
    combine: @escaping @Sendable (Answer, Answer) -> Answer,
    completion: @escaping @Sendable (Answer) -> Void
  ) {
    self.fallback = fallback
    self.combine = combine
    site = SourceSite(fileID: fileID, line: line)
    state = Mutex(GatherState(completion: completion))
    guard let limit else { return }
    let cancel = timer(limit) { self.timeIsUp() }
    // A timer may have run already; then there is nothing to call off.
    let leftOver = state.withLock { $0.setTimer(cancel) }
    leftOver?()
  }

  /// Makes the handler of one more part.
  ///
  /// - Parameter label: what the part is called in reports.
  /// - Returns: the handler to give to the part, which calls it once, on any thread.
  /// - Complexity: amortised O(1).
  public func part(_ label: String) -> @Sendable (Answer) -> Void {
    let number = state.withLock { $0.addPart(label) }
    let ticket = GatherTicket(gather: self, number: number)
    return { ticket.answer($0) }
  }

  /// Says that all parts have been made: from now on, the last answer completes.
  ///
  /// Without any part, or if all have answered, this completes.
  ///
  /// - Complexity: O(n) if it completes, in the number of parts.
  public func close() {
    carryOut(state.withLock { $0.close() })
  }

  // MARK: - What happens

  /// A part answers.
  func answer(_ answer: Answer, from number: Int) {
    carryOut(state.withLock { $0.answer(answer, from: number) })
  }

  /// A part's handler went away.
  func abandon(_ number: Int) {
    carryOut(state.withLock { $0.abandon(number) })
  }

  private func timeIsUp() {
    carryOut(state.withLock { $0.timeIsUp() })
  }

  /// Does what the state decided, with no lock held.
  private func carryOut(_ action: GatherState<Answer>.Action) {
    for problem in action.problems { report(problem) }
    guard let finish = action.finish else { return }
    finish.cancelTimer?()
    let answers = finish.answers
    guard let first = answers.first else { return finish.completion(fallback) }
    finish.completion(answers.dropFirst().reduce(first, combine))
  }

  private func report(_ problem: GatherProblem) {
    Junctor.report(Diagnostic(problem.code, problem.message, sites: [site]))
  }
}

/// One part's handler, as an object whose end is noticed.
private final class GatherTicket<Answer: Sendable>: Sendable {
  private let gather: Gather<Answer>
  private let number: Int

  init(gather: Gather<Answer>, number: Int) {
    self.gather = gather
    self.number = number
  }

  func answer(_ answer: Answer) { gather.answer(answer, from: number) }

  deinit { gather.abandon(number) }
}
