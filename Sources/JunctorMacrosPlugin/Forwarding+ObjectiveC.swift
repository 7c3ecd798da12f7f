extension Forwarding {
  /// The statements that forward a call which is optional in Objective-C, where that exists.
  ///
  /// A target that does not implement it does not answer, and neither does one that answers `nil`.
  func optionalStatements(_ requirement: Requirement) -> String {
    // An asynchronous one cannot be chained; it is called as it is.
    if requirement.effects.isAsync { return statements(requirement) }
    return """
      #if canImport(ObjectiveC)
      \(chained(requirement))
      #else
      \(statements(requirement))
      #endif
      """
  }

  private func chained(_ requirement: Requirement) -> String {
    let target = requirement.makeName("target")
    var call = requirement.call.replacing(Requirement.target, with: target)
    if let parenthesis = call.firstIndex(of: "(") { call.insert("?", at: parenthesis) }
    let marks = requirement.effects.marks
    guard requirement.result != nil else {
      return "\(marks)\(list).forEach { \(target) in \(marks)\(call) }"
    }
    let answers = requirement.makeName("answers")
    let collected = requirement.makeName("collected")
    let collect = "let \(collected) = \(marks)\(list).all { \(target) in \(marks)\(call) }"
    let fallback = requirement.rule.anyFallback.map { "(\($0))" } ?? "nil"
    let combined =
      switch requirement.rule.kind {
      case .last: "\(answers).last ?? \(fallback)"
      case .first: "\(answers).first ?? \(fallback)"
      case .any: "\(answers).isEmpty ? \(fallback) : \(answers).contains(true)"
      case .every: "\(answers).isEmpty ? \(fallback) : !\(answers).contains(false)"
      case .all: "\(answers).flatMap { $0 }"
      case .reduce(let combine):
        "\(answers).first.map { \(answers).dropFirst().reduce($0, \(combine)) } ?? \(fallback)"
      }
    return "\(collect)\nlet \(answers) = \(collected).compactMap { $0 }\nreturn \(combined)"
  }
}
