/// Writes the code that calls every target and makes one answer of many.
struct Forwarding {
  /// The list expression.
  let list: String
  /// What the targets are called as; `nil` where the list tells and no closure needs it.
  let target: String?
  /// How the optional method is named to the list, if it is one.
  let optional: String?

  /// The statements that forward a call.
  func statements(_ requirement: Requirement) -> String {
    requirement.effects.isAsync ? asynchronous(requirement) : synchronous(requirement)
  }

  /// The statement that hands a new value to every target.
  func assignment(_ requirement: Requirement) -> String {
    let name = requirement.makeName("target")
    let call = requirement.call.replacing(Requirement.target, with: name)
    let all = arguments(requirement, policy: false)
    return
      "\(list).forEach\(all.isEmpty ? "" : "(\(all))") { \(name) in \(call) = \(requirement.newValue) }"
  }

  // MARK: - Without suspension

  private func synchronous(_ requirement: Requirement) -> String {
    let rule = requirement.rule
    let closure = closure(requirement)
    let mark = requirement.effects.marks
    let plain = arguments(requirement)
    func call(_ function: String, _ first: String = "") -> String {
      let all = [plain, first].filter { !$0.isEmpty }.joined(separator: ", ")
      let parentheses = all.isEmpty ? "" : "(\(all))"
      return "\(mark)\(list).\(function)\(parentheses) \(closure)"
    }
    guard requirement.result != nil else { return call("forEach") }
    let fallback = rule.anyFallback.map { "(\($0))" } ?? "nil"
    switch rule.kind {
    case .last: return "return \(call("last")) ?? \(fallback)"
    case .first: return "return \(call("first")) ?? \(fallback)"
    case .any: return "return \(call("any")) ?? \(fallback)"
    case .every: return "return \(call("every")) ?? \(fallback)"
    case .reduce(let combine):
      return "return \(call("reduce", "\(combine)")) ?? \(fallback)"
    case .all:
      let all = requirement.makeName("all")
      let none = rule.anyFallback.map { "if \(all).isEmpty { return \($0) }\n" } ?? ""
      return "let \(all) = \(call("all"))\n\(none)return \(all).flatMap { $0 }"
    }
  }

  private func closure(_ requirement: Requirement) -> String {
    let name = requirement.makeName("target")
    let call = requirement.call.replacing(Requirement.target, with: name)
    let effects = requirement.effects
    let thrown = effects.thrown.map { $0.isEmpty ? " throws" : " throws(\($0))" } ?? ""
    let result = requirement.result.map { " -> \(Self.closureResult($0))" } ?? " -> ()"
    let signature = target.map { "(\(name): \($0))\(thrown)\(result)" } ?? name
    // A closure that throws only what the caller's closure throws must not say so.
    return "{ \(signature) in \(effects.marks)\(call) }"
  }

  /// An implicitly unwrapped result is an optional in a closure.
  static func closureResult(_ result: String) -> String {
    result.hasSuffix("!") ? String(result.dropLast()) + "?" : result
  }

  private func arguments(_ requirement: Requirement, policy: Bool = true) -> String {
    var arguments: [String] = []
    if policy, requirement.rule.stopsAtFirstError,
      requirement.effects.thrown != nil || requirement.effects.isRethrowing
    {
      arguments.append("onError: .stop")
    }
    if let optional { arguments.append("optional: \(optional)") }
    return arguments.joined(separator: ", ")
  }

  // MARK: - With suspensions

  private func asynchronous(_ requirement: Requirement) -> String {
    let rule = requirement.rule
    let target = requirement.makeName("target")
    let call =
      requirement.effects.marks + requirement.call.replacing(Requirement.target, with: target)
    let answer = Answer(requirement)
    let failure = requirement.effects.thrown.map { _ in requirement.makeName("failure") }
    let failureType = requirement.effects.thrown.map {
      $0.isEmpty ? "any JunctorDelegates.MulticastCode.Failure" : $0
    }
    var lines = answer.declaration
    if let failure, let failureType, !rule.stopsAtFirstError || rule.isConcurrent {
      lines.append("var \(failure): (\(failureType))? = nil")
    }
    if rule.isConcurrent {
      lines += concurrent(requirement, target, call, answer, failure)
    } else {
      lines += sequential(requirement, target, call, answer, failure)
    }
    if let failure, !rule.stopsAtFirstError || rule.isConcurrent {
      lines.append("if let \(failure) { throw \(failure) }")
    }
    return (lines + answer.conclusion).joined(separator: "\n")
  }

  private func sequential(
    _ requirement: Requirement, _ target: String, _ call: String, _ answer: Answer,
    _ failure: String?
  ) -> [String] {
    let calls = requirement.makeName("calls")
    var body: [String] = []
    if answer.isNeeded {
      body = ["let \(answer.value) = \(call)", "if \(calls).didAnswer() {", answer.step, "}"]
    } else {
      body = [call, "_ = \(calls).didAnswer()"]
    }
    if let failure, !requirement.rule.stopsAtFirstError {
      let thrown = requirement.effects.thrown ?? ""
      body =
        ["do \(thrown.isEmpty ? "" : "throws(\(thrown)) "){"] + body + [
          "} catch {", "\(calls).didThrow()", "if \(failure) == nil { \(failure) = error }",
          "}",
        ]
    }
    return ["var \(calls) = \(list).calls(\(arguments(requirement, policy: false)))"]
      + ["while let \(target) = \(calls).next() {"] + body + ["}"]
  }

  private func concurrent(
    _ requirement: Requirement, _ target: String, _ call: String, _ answer: Answer,
    _ failure: String?
  ) -> [String] {
    let outcome = requirement.makeName("outcome")
    let thrown = requirement.effects.thrown.map { $0.isEmpty ? " throws" : " throws(\($0))" } ?? ""
    let result = requirement.result.map(Self.closureResult) ?? "()"
    let signature = self.target.map { "(\(target): \($0)) async\(thrown) -> \(result)" } ?? target
    let success =
      answer.isNeeded
      ? "case .success(let \(answer.value)):\n\(answer.step)" : "case .success: break"
    let caught =
      failure.map { "case .failure(let error):\nif \($0) == nil { \($0) = error }" }
    let closure = "{ \(signature) in \(call) }"
    let all = [arguments(requirement, policy: false), closure].filter { !$0.isEmpty }
      .joined(separator: ", ")
    return ["for \(outcome) in await \(list).concurrently(\(all)) {"]
      + ["switch \(outcome) {", success] + (caught.map { [$0] } ?? []) + ["}", "}"]
  }
}

/// How answers that come one at a time become one.
struct Answer {
  /// Whether there is an answer to make.
  let isNeeded: Bool
  /// The name of one target's answer.
  let value: String
  /// The statements before the calls.
  let declaration: [String]
  /// The statement after each call.
  let step: String
  /// The statements after the last call.
  let conclusion: [String]

  /// Writes the parts by the requirement's rule.
  init(_ requirement: Requirement) {
    guard let result = requirement.result.map(Forwarding.closureResult) else {
      isNeeded = false
      value = ""
      step = ""
      declaration = []
      conclusion = []
      return
    }
    isNeeded = true
    let answer = requirement.makeName("answer")
    let value = requirement.makeName("value")
    self.value = value
    let fallback = requirement.rule.anyFallback.map { "(\($0))" } ?? "nil"
    var conclusion = ["return \(answer) ?? \(fallback)"]
    switch requirement.rule.kind {
    case .last: step = "\(answer) = \(value)"
    case .first: step = "if \(answer) == nil { \(answer) = \(value) }"
    case .any: step = "\(answer) = (\(answer) ?? false) || \(value)"
    case .every: step = "\(answer) = (\(answer) ?? true) && \(value)"
    case .reduce(let combine):
      let former = requirement.makeName("former")
      step =
        "if let \(former) = \(answer) { \(answer) = (\(combine))(\(former), \(value)) } "
        + "else { \(answer) = \(value) }"
    case .all:
      step = "\(answer) = (\(answer) ?? []) + \(value)"
      if requirement.rule.anyFallback == nil { conclusion = ["return \(answer) ?? []"] }
    }
    declaration = ["var \(answer): (\(result))? = nil"]
    self.conclusion = conclusion
  }
}
