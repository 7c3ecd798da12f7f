public import JunctorHandover

/// Stands in for a receiver that gives results back; answers as it is told to.
///
/// ```swift
/// let editor = ProviderDouble<Draft, Draft>(answers: [.value(final), .cancelled])
/// ```
///
/// ## Concurrency
/// Not `Sendable`: used on one isolation, any one.
public final class ProviderDouble<Model, Result>: ResultProvider {
  /// Where what waits and the requests are kept.
  public let handoverSlot = HandoverSlot<Model>()

  /// What it is called in the log.
  public let name: String

  /// Everything that it was prepared with, in order.
  public private(set) var prepared: [Model?] = []

  /// How the coming requests end, at once, in order; once they are used up, requests stay open.
  public var answers: [HandoverOutcome<Result>]

  /// Whether it may be prepared now. When it becomes so, what waits arrives.
  public var isReady: Bool {
    didSet { if isReady { becomeReady() } }
  }

  private let log: HandoverLog?

  /// Makes a double.
  ///
  /// - Parameters:
  ///   - name: what it is called in the log.
  ///   - isReady: whether it may be prepared at once.
  ///   - answers: how the coming requests end.
  ///   - log: told what arrives, if several doubles are to be compared.
  public init(
    _ name: String = "provider", isReady: Bool = true, answers: [HandoverOutcome<Result>] = [],
    log: HandoverLog? = nil
  ) {
    self.name = name
    self.isReady = isReady
    self.answers = answers
    self.log = log
  }

  /// Keeps the model, and ends the request that came with it as told.
  ///
  /// - Parameter model: what was handed over.
  /// - Complexity: O(answers).
  public func prepare(with model: Model?) {
    prepared.append(model)
    log?.add(model, to: name)
    guard let request = currentRequest, !answers.isEmpty else { return }
    switch answers.removeFirst() {
    case .value(let value): giveBack(value, to: request)
    case .cancelled: cancelRequests(request)
    }
  }
}
