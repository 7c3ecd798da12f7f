public import CJunctorServices
public import JunctorCore
internal import Synchronization

/// Gives its clients objects that provide functionality, looked up by protocol.
///
/// ```swift
/// let app = Services("app")
/// app.set((any TimeSource).self, to: SystemTime())
/// app.provide((any Analytics).self) { services in
///   Reporter(source: try services.require((any TimeSource).self))
/// }
/// let screen = Services("profile", alternate: app)
/// let analytics = screen[(any Analytics).self]
/// ```
///
/// Sets are hierarchical: what a set lacks, its `alternateServices` may have; a set can add to that or override it for a
/// part of the application. A provider runs at the first request, once, and is given the set that registered it; its
/// object is kept by that set and seen from all the sets in front of it.
///
/// ## Concurrency
/// May be used from any thread and any actor. A look-up of what is built takes no lock. A provider runs on the thread of
/// the first who asks, with no lock held; whoever else asks for the same service meanwhile waits for it, and for nothing
/// else. A set holds its alternate and what is registered in it; a set holds none of those in front of it.
@safe
public final class Services: @unchecked Sendable {
  // SAFETY (unchecked Sendable): `core` is constant; what it points to is only used through atomic operations, changed
  // under `state`, and freed in `deinit`. Everything else is constant or in a `Mutex`.

  /// What the set is called in messages and pictures.
  public let name: String

  /// Where the set was made.
  public let site: SourceSite

  /// The scope that the set carries, where it carries one.
  public let scope: ServiceScope?

  /// What look-ups read without the lock.
  @usableFromInline let core: UnsafeMutablePointer<junctor_set>
  /// What is registered, and what stands behind the set.
  let state: Mutex<ServicesState>

  /// Makes an empty set.
  ///
  /// - Parameters:
  ///   - name: what the set is called in messages and pictures.
  ///   - alternate: what is asked for what the set lacks.
  ///   - scope: the scope that the set carries, for services of the lifetime `scoped(_:)`.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Complexity: O(1).
  public init(
    _ name: String = "services", alternate: (any ServicesProvider)? = nil,
    scope: ServiceScope? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.name = name
    self.scope = scope
    site = SourceSite(fileID: fileID, line: line)
    // SAFETY: freed in `deinit`.
    unsafe core = junctor_set_make(nil)
    state = Mutex(ServicesState())
    unsafe core.pointee.owner = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    if let alternate { alternateServices = alternate }
    showIfWatched()
  }

  /// Makes an empty set in front of another.
  ///
  /// - Parameters:
  ///   - name: what the set is called in messages and pictures.
  ///   - alternate: the set that is asked for what this one lacks.
  ///   - scope: the scope that the set carries, for services of the lifetime `scoped(_:)`.
  ///   - fileID: the caller's file.
  ///   - line: the caller's line.
  /// - Complexity: O(1).
  public init(
    _ name: String = "services", alternate: Services, scope: ServiceScope? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.name = name
    self.scope = scope
    site = SourceSite(fileID: fileID, line: line)
    // SAFETY: freed in `deinit`. The alternate is held as long as the core points to its core.
    unsafe core = junctor_set_make(alternate.core)
    state = Mutex(ServicesState(alternate: .set(alternate)))
    unsafe core.pointee.owner = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    showIfWatched()
  }

  deinit {
    var alternate = ServicesState.Alternate.none
    let wiring = state.withLock { state in
      swap(&state.alternate, &alternate)
      return state.wiring
    }
    if wiring != 0 { WiringRegistry.remove(wiring) }
    Services.letGo(&alternate)
    // SAFETY: nobody looks up in a set that is dying, directly or through a set in front of it, which would hold it.
    unsafe junctor_set_free(core)
  }
}

extension Services: CustomStringConvertible {
  /// The set's name.
  public var description: String { "services '\(name)'" }
}

/// What a set knows, behind its lock.
struct ServicesState {
  /// What stands behind a set.
  enum Alternate {
    /// Nothing.
    case none
    /// Another set.
    case set(Services)
    /// A container of another make.
    case foreign(any ServicesProvider)
  }

  /// What stands behind the set.
  var alternate: Alternate
  /// What is registered, by key.
  var slots: [ServiceKey: ServiceSlot] = [:]
  /// The number under which the wiring knows the set, from its first registration on; 0 before.
  var wiring: UInt64 = 0
  /// Whether the set is in use.
  var phase = ServicesPhase.open
  /// Whether it was said that the alternates form a ring.
  var hasReportedRing = false
  private var rare: RareServicesState?

  /// What a new set knows, in front of another or of none.
  init(alternate: Alternate = .none) { self.alternate = alternate }

  /// What few sets have, made when it is first written: a set without it stays small.
  private mutating func makeRare() -> RareServicesState {
    if let rare { return rare }
    let rare = RareServicesState()
    self.rare = rare
    return rare
  }

  /// The members of collections, by type, in their order.
  var contributions: [ObjectIdentifier: [ServiceSlot]] {
    get { rare?.contributions ?? [:] }
    _modify { yield &makeRare().contributions }
  }

  /// The objects that exist once per scope or argument.
  var derived: [DerivedKey: [DerivedSlot]] {
    get { rare?.derived ?? [:] }
    _modify { yield &makeRare().derived }
  }

  /// How many of these there are.
  var derivedCount: Int {
    get { rare?.derivedCount ?? 0 }
    set { makeRare().derivedCount = newValue }
  }

  /// How many of these there may be before the dead among them are looked for.
  var derivedLimit: Int {
    get { rare?.derivedLimit ?? 64 }
    set { makeRare().derivedLimit = newValue }
  }

  /// For each type, the wrappers of members that come from behind the set.
  var decoratedMembers: [ObjectIdentifier: [ObjectIdentifier: ServiceSlot]] {
    get { rare?.decoratedMembers ?? [:] }
    _modify { yield &makeRare().decoratedMembers }
  }

  /// The number of the last change of what stands behind the set; 0 if there was none since it was made.
  var alternateChange: UInt64 {
    get { rare?.alternateChange ?? 0 }
    set { makeRare().alternateChange = newValue }
  }

  /// The one who is starting the set; others wait for that.
  var starting: ServiceBuild? {
    get { rare?.starting }
    set { makeRare().starting = newValue }
  }

  /// What closes the set, or has closed it.
  var closing: ServiceBuild? {
    get { rare?.closing }
    set { makeRare().closing = newValue }
  }

  /// What went wrong when the set was closed.
  var closeErrors: [any Error] {
    get { rare?.closeErrors ?? [] }
    set { makeRare().closeErrors = newValue }
  }

  /// Whether somebody has been told what went wrong when the set was closed.
  var hasReportedErrors: Bool {
    get { rare?.hasReportedErrors ?? false }
    set { makeRare().hasReportedErrors = newValue }
  }
}

/// What few sets have. Only reached through the `ServicesState` that holds it.
private final class RareServicesState {
  var contributions: [ObjectIdentifier: [ServiceSlot]] = [:]
  var derived: [DerivedKey: [DerivedSlot]] = [:]
  var derivedCount = 0
  var derivedLimit = 64
  var decoratedMembers: [ObjectIdentifier: [ObjectIdentifier: ServiceSlot]] = [:]
  var alternateChange: UInt64 = 0
  var starting: ServiceBuild?
  var closing: ServiceBuild?
  var closeErrors: [any Error] = []
  var hasReportedErrors = false
}

/// Whether a set is in use.
enum ServicesPhase { case open, closing, closed }

/// Where to look for an object that exists once per scope or argument; different arguments may share one.
struct DerivedKey: Hashable {
  /// The number of the slot it was derived from.
  let slot: UInt64
  /// The argument's hash, where there is one.
  let hash: Int
}

/// An object that exists once per scope or argument.
struct DerivedSlot {
  /// The argument, where there is one.
  let argument: ServiceArgument?
  /// The slot of the object.
  var slot: ServiceSlot
}
