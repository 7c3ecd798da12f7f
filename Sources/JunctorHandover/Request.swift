internal import JunctorCore

/// One request for a result.
///
/// ## Concurrency
/// Belongs to the receiver's isolation, but for `phase`. The handler is called once, on the isolation on which the request
/// was made.
final class Request<Result>: AnyRequest {
  private var outcome: HandoverOutcome<Result>?
  private var handler: ((HandoverOutcome<Result>) -> Void)?
  private let isolation: (any Actor)?

  /// Makes an open request.
  init(
    site: SourceSite, requester: AnyObject?, isolation: (any Actor)?,
    handler: ((HandoverOutcome<Result>) -> Void)?
  ) {
    self.handler = handler
    self.isolation = isolation
    super.init(site: site, requester: requester.flatMap { WeakObject($0) })
  }

  /// Makes an open request whose end an object is told, as long as it lives.
  convenience init<Owner: AnyObject>(
    site: SourceSite, owner: Owner, isolation: (any Actor)?,
    handler: @escaping (Owner, HandoverOutcome<Result>) -> Void
  ) {
    let reference = WeakObject(owner)
    self.init(site: site, requester: owner, isolation: isolation) { outcome in
      guard let owner = reference?.object as? Owner else { return }
      handler(owner, outcome)
    }
  }

  /// Ends it, if it is open. Returns whether it was.
  func end(_ outcome: HandoverOutcome<Result>, because reason: String, inline: Bool = true) -> Bool
  {
    guard phase.claim(because: reason) else { return false }
    self.outcome = outcome
    if WiringHistory.isOn { note(outcome) }
    phase.finish()
    callHandler(with: outcome, inline: inline)
    return true
  }

  private func note(_ outcome: HandoverOutcome<Result>) {
    let kind: Wiring.EventKind = if case .value = outcome { .result } else { .close }
    WiringHistory.record(kind, .type(Result.self), site: site, began: began, count: 1)
  }

  override func cancel(because reason: String, inline: Bool = true) {
    _ = end(.cancelled, because: reason, inline: inline)
  }

  /// How it ended, once it has.
  func result() async -> HandoverOutcome<Result> {
    await phase.ended()
    if let outcome { return outcome }
    // The task that awaited this was cancelled. That ended the request on some thread; the rest is done here.
    callHandler(with: .cancelled, inline: true)
    return .cancelled
  }

  private func callHandler(with outcome: HandoverOutcome<Result>, inline: Bool) {
    guard phase.claimHandler(), let handler else { return }
    self.handler = nil
    guard !inline, let isolation else { return handler(outcome) }
    let call = HandlerCall(handler: handler, outcome: outcome)
    Task { await call.run(on: isolation) }
  }
}

/// A call of a handler on its way to the handler's isolation.
// SAFETY: the handler was formed on the isolation that it is called on, and the outcome is `.cancelled`; nothing else
// refers to either.
private struct HandlerCall<Result>: @unchecked Sendable {
  let handler: (HandoverOutcome<Result>) -> Void
  let outcome: HandoverOutcome<Result>

  func run(on isolation: isolated any Actor) { handler(outcome) }
}
