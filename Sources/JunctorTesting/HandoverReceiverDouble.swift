public import JunctorHandover

/// Stands in for a receiver and keeps everything that it is prepared with.
///
/// ```swift
/// let screen = ReceiverDouble<Article>("reading", isReady: false)
/// list.open(article, on: screen)
/// #expect(screen.pendingHandovers == 1)
/// screen.isReady = true
/// #expect(screen.prepared == [article])
/// ```
///
/// ## Concurrency
/// Not `Sendable`: used on one isolation, any one.
public final class ReceiverDouble<Model>: DataReceiver {
  /// Where what waits is kept.
  public let handoverSlot = HandoverSlot<Model>()

  /// What it is called in the log.
  public let name: String

  /// Everything that it was prepared with, in order.
  public private(set) var prepared: [Model?] = []

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
  ///   - log: told what arrives, if several doubles are to be compared.
  public init(_ name: String = "receiver", isReady: Bool = true, log: HandoverLog? = nil) {
    self.name = name
    self.isReady = isReady
    self.log = log
  }

  /// Keeps the model.
  ///
  /// - Parameter model: what was handed over.
  /// - Complexity: O(1), amortised.
  public func prepare(with model: Model?) {
    prepared.append(model)
    log?.add(model, to: name)
  }
}
