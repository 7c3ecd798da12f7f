extension Receipt: CustomStringConvertible {
  /// What came of the post in a few words, as `2 called, 1 queued` or `nobody heard it`.
  public var description: String {
    if isRefused { return "refused: posts are nested without an end" }
    var parts: [String] = []
    if called > 0 { parts.append("\(called) called") }
    if queued > 0 { parts.append("\(queued) queued") }
    if dropped > 0 { parts.append("\(dropped) dropped") }
    if isDeferred { parts.append("waits for the message before it") }
    if isConsumed { parts.append("consumed") }
    if parts.isEmpty { parts.append("nobody heard it") }
    if let failures {
      parts.append("threw \(failures.all.map { "\($0.error)" }.joined(separator: ", "))")
    }
    return parts.joined(separator: ", ")
  }
}
