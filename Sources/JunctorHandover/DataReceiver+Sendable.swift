public import JunctorCore

// Receivers that several threads use: `Sendable` classes that are bound to no actor. (A class of a global actor is not
// meant; its conformance is isolated, and an isolated conformance satisfies no `Sendable` generic.)

extension DataReceiver where Self: Sendable, Model: Sendable {
  /// Hands a model to this receiver, from any thread; see `handOver(_:from:)` of every receiver.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - sender: who hands over, for the wiring; not retained.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  /// - Complexity: O(1).
  @inlinable
  public func handOver(
    _ model: Model?, from sender: AnyObject? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    take(model, from: sender, site: SourceSite(fileID: fileID, line: line))
  }
}

extension DataReceiver where Self: Sendable {
  /// Warns: what several threads receive must be `Sendable` itself.
  ///
  /// - Parameters:
  ///   - model: what is handed over.
  ///   - sender: who hands over, for the wiring; not retained.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  /// - Complexity: O(1).
  @available(
    *, deprecated,
    message:
      "A receiver that several threads use needs a 'Sendable' model. Make the model 'Sendable', or bind the conformance to the receiver's actor: '@MainActor DataReceiver'."
  )
  public func handOver(
    _ model: Model?, from sender: AnyObject? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    take(model, from: sender, site: SourceSite(fileID: fileID, line: line))
  }
}
