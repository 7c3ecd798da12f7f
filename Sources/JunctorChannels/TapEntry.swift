internal import JunctorCore

/// One that watches every post of an exchange.
///
/// ## Concurrency
/// Constant, but for the state that `_ListEntry` keeps.
final class TapEntry: _ListEntry, @unchecked Sendable {
  // SAFETY (unchecked Sendable): the handler is a constant of a Sendable type.
  let handler: @Sendable (any Sendable, Envelope) -> Void

  init(_ handler: @escaping @Sendable (any Sendable, Envelope) -> Void, site: SourceSite) {
    self.handler = handler
    super.init(site: site)
  }
}
