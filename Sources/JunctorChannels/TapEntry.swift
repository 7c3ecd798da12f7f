internal import JunctorCore

/// One that watches every post of an exchange.
///
/// ## Concurrency
/// Constant, but for the state that `_ListEntry` keeps.
final class TapEntry: _ListEntry, @unchecked Sendable {
  // SAFETY (unchecked Sendable): the handler is a constant of a Sendable type.
  /// What is called.
  let handler: @Sendable (any Sendable, Envelope) -> Void

  /// Makes the entry of one who watches.
  init(_ handler: @escaping @Sendable (any Sendable, Envelope) -> Void, site: SourceSite) {
    self.handler = handler
    super.init(site: site)
  }
}
