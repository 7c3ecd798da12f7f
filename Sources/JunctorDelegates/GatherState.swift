internal import JunctorCore

/// What a gather knows, as a plain value. Each transition returns what is to be done after the lock was left.
struct GatherState<Answer: Sendable> {
  /// What is to be done.
  struct Action {
    /// What is to be reported.
    var problems: [GatherProblem] = []
    /// What is to be called, if all is over.
    var finish: Finish?
    /// What must die outside the lock.
    var dead: [Answer] = []
  }

  /// Everything that the completion needs.
  struct Finish {
    /// What is to be called.
    var completion: @Sendable (Answer) -> Void
    /// What calls the timer off.
    var cancelTimer: (@Sendable () -> Void)?
    /// The answers, in the order of the parts.
    var answers: [Answer]
  }

  private enum Part {
    case waiting(String)
    case answered(String, Answer)
    case silent(String)

    var label: String {
      switch self {
      case .waiting(let label), .answered(let label, _), .silent(let label): label
      }
    }
  }

  private var parts: [Part] = []
  private var waiting = 0
  private var isClosed = false
  /// Missing once it was called.
  private var completion: (@Sendable (Answer) -> Void)?
  private var cancelTimer: (@Sendable () -> Void)?

  /// Begins with no parts.
  init(completion: @escaping @Sendable (Answer) -> Void) {
    self.completion = completion
  }

  /// Notes how the timer is called off. Returns it if there is nothing left to wait for.
  mutating func setTimer(_ cancel: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    if completion == nil { return cancel }
    cancelTimer = cancel
    return nil
  }

  /// Notes one more part. Returns its number.
  mutating func addPart(_ label: String) -> Int {
    parts.append(.waiting(label))
    waiting += 1
    return parts.count - 1
  }

  /// Notes that all parts have been made.
  mutating func close() -> Action {
    isClosed = true
    return finishIfDone()
  }

  /// Takes a part's answer in.
  mutating func answer(_ answer: Answer, from number: Int) -> Action {
    guard case .waiting(let label) = parts[number] else {
      return Action(problems: [.twice(parts[number].label)], dead: [answer])
    }
    // An answer that is too late is noted as well, so that the next one is the second.
    waiting -= 1
    if completion == nil {
      parts[number] = .silent(label)
      return Action(problems: [.late(label)], dead: [answer])
    }
    parts[number] = .answered(label, answer)
    return finishIfDone()
  }

  /// Notes that a part's handler went away.
  mutating func abandon(_ number: Int) -> Action {
    guard case .waiting(let label) = parts[number] else { return Action() }
    parts[number] = .silent(label)
    waiting -= 1
    // Time was up before; that was reported.
    if completion == nil { return Action() }
    var action = finishIfDone()
    action.problems.insert(.never(label), at: 0)
    return action
  }

  /// Notes that the time limit is over.
  mutating func timeIsUp() -> Action {
    guard completion != nil else { return Action() }
    let missing = parts.compactMap { if case .waiting(let label) = $0 { label } else { nil } }
    var action = finish()
    action.problems = missing.map { .timedOut($0) }
    return action
  }

  private mutating func finishIfDone() -> Action {
    isClosed && waiting == 0 ? finish() : Action()
  }

  private mutating func finish() -> Action {
    guard let completion = completion.take() else { return Action() }
    let answers = parts.compactMap { if case .answered(_, let answer) = $0 { answer } else { nil } }
    for index in parts.indices {
      if case .answered(let label, _) = parts[index] { parts[index] = .silent(label) }
    }
    return Action(
      finish: Finish(
        completion: completion, cancelTimer: cancelTimer.take(), answers: answers))
  }
}

/// What a part did that it should not have done.
enum GatherProblem: Equatable {
  /// It answered a second time.
  case twice(String)
  /// It answered after the completion.
  case late(String)
  /// It let its handler go without calling it.
  case never(String)
  /// It had not answered when time was up.
  case timedOut(String)

  /// What kind of misuse it is.
  var code: Diagnostic.Code {
    switch self {
    case .twice: Diagnostic.Code("delegates.gather.twice")
    case .late: Diagnostic.Code("delegates.gather.late")
    case .never: Diagnostic.Code("delegates.gather.never")
    case .timedOut: Diagnostic.Code("delegates.gather.timedOut")
    }
  }

  /// The sentence.
  var message: String {
    switch self {
    case .twice(let label):
      "Can't take an answer from '\(label)': it has answered before. Call its handler once."
    case .late(let label):
      "Can't take an answer from '\(label)': the result was given without it."
        + " Answer sooner, or allow more time."
    case .never(let label):
      "Can't wait for '\(label)': it let go of its handler without calling it."
        + " Call the handler on every way out."
    case .timedOut(let label):
      "Can't wait for '\(label)' any longer: the time limit is over."
        + " Answer sooner, or allow more time."
    }
  }
}
