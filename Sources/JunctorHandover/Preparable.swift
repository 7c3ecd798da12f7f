/// What can be prepared with a model: the part of `DataReceiver` that code of one's own has to write.
///
/// Conform to `DataReceiver` (or `ResultProvider`), not to this. It is a protocol of its own because the runtime checks
/// at a dynamic cast whether the caller is on a conformance's actor, and it does so only for protocols that are not
/// bound to classes.
///
/// ## Concurrency
/// Isolated like the conforming class.
public protocol Preparable<Model> {
  /// What is handed over.
  associatedtype Model

  /// Takes what was handed over. Called exactly once per handover, when the receiver is ready.
  ///
  /// - Parameter model: what was handed over; `nil` if that was nothing.
  func prepare(with model: Model?)
}
