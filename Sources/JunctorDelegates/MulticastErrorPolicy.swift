/// What a call does when one of its targets throws.
///
/// ## Concurrency
/// A value; may be used anywhere.
public enum MulticastErrorPolicy: Sendable, Hashable {
  /// Every target is called; then the first error is thrown.
  case callAll

  /// The first error ends the call.
  case stop
}
