internal import JunctorCore

/// What the requests for all results have in common.
@usableFromInline
class AnyRequest {
  /// The number that tells requests apart.
  final let id: UInt64
  /// Where it was made.
  final let site: SourceSite
  /// Who wants to know, if that is an object.
  final let requester: WeakObject?
  /// Who ends it.
  final let phase = RequestPhase()
  /// When it was made, if the history was on then; otherwise 0.
  final let began = WiringHistory.begin()
  /// Whether the receiver has been prepared with the model that it came with.
  final var isDelivered: Bool { phase.isDelivered }
  /// How it ended, in words, once it has.
  final var ending: String? { phase.ending }

  /// Makes an open request.
  init(site: SourceSite, requester: WeakObject?) {
    id = Identifier.next()
    self.site = site
    self.requester = requester
  }

  /// Notes that the receiver is prepared with the model that it came with.
  @usableFromInline
  final func noteDelivery() { phase.isDelivered = true }

  /// Ends it as cancelled, because its model was replaced before it arrived.
  @usableFromInline
  final func wasReplaced() { cancel(because: "a later handover took its place") }

  /// Ends it as cancelled, if it is open.
  func cancel(because reason: String, inline: Bool = true) {}
}
