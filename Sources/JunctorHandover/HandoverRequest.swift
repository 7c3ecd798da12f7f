public import JunctorCore

/// A request for a result that came with a handover: how it is told apart, awaited and given up.
///
/// ## Concurrency
/// Not `Sendable`: it is used where the receiver is. It retains neither the receiver nor the requester. The request lives on
/// when this value goes; it ends in a value or as cancelled, once.
public struct HandoverRequest<Result> {
  /// What tells requests apart.
  public struct ID: Sendable, Hashable, CustomStringConvertible {
    /// The request's number.
    let number: UInt64

    /// The number.
    public var description: String { "\(number)" }
  }

  /// The request itself.
  let request: Request<Result>

  /// What tells this request apart from all others.
  public var id: ID { ID(number: request.id) }

  /// Where it was made.
  public var site: SourceSite { request.site }

  /// Whether it has not ended.
  public var isOpen: Bool { request.phase.isOpen }

  /// How it ended, once it has.
  ///
  /// The task that awaits this ends the request as cancelled when it is cancelled itself. It keeps neither the receiver nor
  /// the requester.
  ///
  /// - Complexity: O(1).
  public var outcome: HandoverOutcome<Result> {
    get async { await request.result() }
  }

  /// Gives the request up: it ends as cancelled, and a result that comes later is reported and ignored.
  ///
  /// - Complexity: O(1).
  public func cancel() { request.cancel(because: "the request was given up") }
}

extension HandoverRequest: CustomStringConvertible {
  /// The number, whether it is open, and where it was made.
  public var description: String {
    "request \(id), \(isOpen ? "open" : "ended"), made at \(site)"
  }
}
