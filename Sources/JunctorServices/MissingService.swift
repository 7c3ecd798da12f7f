internal import JunctorCore
internal import Synchronization

/// What is told of a service that nobody provides, put together when somebody reads it: what is near is found by the names
/// of all types that are registered, and mostly nobody asks.
///
/// ## Concurrency
/// May be used from any thread. Holds none of the sets; of those that have gone by then it tells nothing.
final class MissingService: Sendable {
  /// A set, as long as somebody else holds it.
  private final class Searched: Sendable {
    private let reference: OwnerReference

    init?(_ set: Services) {
      guard let reference = OwnerReference(set) else { return nil }
      self.reference = reference
    }

    var set: Services? { reference.object as? Services }
  }

  private let key: ServiceKey
  private let site: SourceSite
  private let names: [String]
  private let searched: [Searched]
  private let text = Mutex<String?>(nil)

  /// Notes which service was not found where.
  ///
  /// - Parameters:
  ///   - request: who asked for what.
  ///   - names: what has been searched.
  ///   - sets: the sets among that, the asked one first.
  init(_ request: ServiceRequest, names: [String], sets: [Services]) {
    key = request.key
    site = request.site
    self.names = names
    searched = sets.compactMap { Searched($0) }
  }

  /// The sentence, which stays the same once it was read.
  ///
  /// - Complexity: O(registrations of the sets) the first time.
  var message: String {
    if let text = text.withLock({ $0 }) { return text }
    let sets = searched.compactMap(\.set)
    let new = ServiceError.missing(
      key, askedAt: site, searched: names,
      hints: sets.first?.nearMisses(key, searched: sets) ?? [])
    return text.withLock { text in
      let first = text ?? new
      text = first
      return first
    }
  }
}
