public import CJunctorServices
internal import JunctorCore

/// Makes a transient without saying its type.
@usableFromInline
class ServiceMaker: @unchecked Sendable {
  // SAFETY (unchecked Sendable): constants of `Sendable` types, here and in the one subclass.

  /// Where it was registered.
  let site: SourceSite
  /// Whether it is given the set that was asked instead of the one that registered it.
  @usableFromInline let isForCaller: Bool
  /// Whether what it makes is recorded.
  @usableFromInline let isRecording: Bool
  /// What the service is called, where it has a name.
  let name: String?
  /// Makes the same, and is recorded: what look-ups are shown while the history is on; `nil` for one that is.
  let recording: ServiceMaker?

  /// Makes the part that has no type.
  init(site: SourceSite, isForCaller: Bool, name: String?, recording: ServiceMaker?) {
    self.site = site
    self.isForCaller = isForCaller
    self.name = name
    self.recording = recording
    isRecording = recording == nil
  }

  /// The time from which making is measured.
  @usableFromInline
  final func recordingTime() -> UInt64 { WiringHistory.begin() }

  /// Records that something was made.
  @usableFromInline
  final func noteMade(_ type: any Any.Type, began: UInt64) {
    WiringHistory.record(.build, .type(type, name: name), site: site, began: began, count: 1)
  }
}

/// Makes a transient under the type it was registered with.
@usableFromInline
final class TypedMaker<P: Sendable>: ServiceMaker, @unchecked Sendable {
  // SAFETY (unchecked Sendable): a constant of a `Sendable` type.

  /// The provider.
  @usableFromInline let make: @Sendable (Services) throws -> P?

  /// Keeps a provider.
  convenience init(
    site: SourceSite, isForCaller: Bool, name: String?,
    _ make: @escaping @Sendable (Services) throws -> P?
  ) {
    let recording = TypedMaker(
      site: site, isForCaller: isForCaller, name: name, recording: nil, make)
    self.init(site: site, isForCaller: isForCaller, name: name, recording: recording, make)
  }

  private init(
    site: SourceSite, isForCaller: Bool, name: String?, recording: ServiceMaker?,
    _ make: @escaping @Sendable (Services) throws -> P?
  ) {
    self.make = make
    super.init(site: site, isForCaller: isForCaller, name: name, recording: recording)
  }
}

extension Services {
  /// What came of looking the quick way.
  @usableFromInline
  enum QuickResult<P> {
    /// It takes more.
    case otherwise
    /// This was found, or made.
    case given(P)
    /// A transient's provider had nothing; the sets behind that one are asked.
    case nothing(Services)
  }

  /// Makes a transient where that takes no more than to run its provider.
  @inlinable
  func transient<P: Sendable>(_ type: P.Type) throws -> QuickResult<P> {
    // SAFETY: the record is this thread's own; `make` leaves the look-up that is begun here.
    let reader = unsafe junctor_reader_record()
    let isNoted = isNoted
    let found = unsafe junctor_find(reader, core, UInt(bitPattern: ObjectIdentifier(P.self)), 0)
    if unsafe found.maker != nil { return try unsafe make(P.self, name: nil, found, reader) }
    guard let box = unsafe found.box else { return .otherwise }
    defer { unsafe junctor_reader_end(reader) }
    // Met here while providers of tasks run: whoever is none of them finds what is there as ever.
    if isNoted { return .otherwise }
    return .given(
      unsafe Unmanaged<TypedBox<P>>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.value })
  }

  /// Whether a provider asks, so that what it is given is noted. Not to be found out inside a look-up.
  @inlinable
  var isNoted: Bool { junctor_is_building() && isProviderAsking }

  /// Whether a provider asks, on this thread or in this task.
  @usableFromInline
  var isProviderAsking: Bool { ServiceContext.isAsking }

  /// Gives a service of a name where that takes no more than a look-up, or to run a transient's provider.
  @inlinable
  func quick<P: Sendable>(_ type: P.Type, name: ServiceName) throws -> QuickResult<P> {
    // SAFETY: as in `transient` and in the subscript.
    let reader = unsafe junctor_reader_record()
    let found = unsafe find(reader, UInt(bitPattern: ObjectIdentifier(P.self)), name)
    if unsafe found.maker != nil { return try unsafe make(P.self, name: name, found, reader) }
    guard let box = unsafe found.box else { return .otherwise }
    let value = unsafe Unmanaged<TypedBox<P>>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.value }
    unsafe junctor_reader_end(reader)
    return .given(value)
  }

  /// Looks for what is given the quick way under a type and a name; if there is anything, the reader is inside.
  @usableFromInline
  func find(
    _ reader: UnsafeMutablePointer<junctor_reader>, _ type: UInt, _ name: ServiceName
  ) -> junctor_found {
    let isNoted = isNoted
    // SAFETY: as in the subscript; the slot's name is compared, since two names may share a number.
    let found = unsafe junctor_find(reader, core, type, ServiceKey.number(of: name))
    guard unsafe found.box != nil || found.maker != nil, let slot = unsafe found.slot else {
      return unsafe junctor_found()
    }
    let isIt = unsafe Unmanaged<ServiceSlot>.fromOpaque(slot)._withUnsafeGuaranteedRef {
      $0.key.name == name && $0.key.argument == nil
    }
    // What a provider is given is noted; for an object that is there the slow way does that.
    if isIt, unsafe found.maker != nil || !isNoted { return unsafe found }
    unsafe junctor_reader_end(reader)
    return unsafe junctor_found()
  }

  /// Runs the provider of a transient that was found, and leaves the look-up.
  // SAFETY: the caller has found a maker under the type `P`, and its reader is inside.
  @unsafe
  @inlinable
  func make<P: Sendable>(
    _ type: P.Type, name: ServiceName?, _ found: junctor_found,
    _ reader: UnsafeMutablePointer<junctor_reader>
  ) throws -> QuickResult<P> {
    // SAFETY: the record is this thread's own. What is found is retained before `junctor_reader_end`; the maker under the
    // number of `P` is always a `TypedMaker<P>`. The frame lives in this function's own frame and is taken off before it
    // is left; the slot that it names lives as long as its set, which is retained meanwhile.
    guard let address = unsafe found.maker, let owner = unsafe found.owner,
      let slot = unsafe found.slot
    else { return .otherwise }
    let maker = unsafe Unmanaged<TypedMaker<P>>.fromOpaque(address).takeUnretainedValue()
    let set = unsafe Unmanaged<Services>.fromOpaque(owner).takeUnretainedValue()
    unsafe junctor_reader_end(reader)
    if junctor_stack_left() < 262_144 { return .otherwise }
    let parent = unsafe reader.pointee.frame
    if junctor_is_building(), unsafe !admits(slot, parent) { return .otherwise }
    var frame = unsafe junctor_frame(
      parent: parent, slot: slot, build: parent?.pointee.build, is_build: false, argument: nil,
      argument_hash: 0, depth: (parent?.pointee.depth ?? 0) + 1)
    let began = maker.isRecording ? maker.recordingTime() : 0
    do {
      let value = try unsafe withUnsafeMutablePointer(to: &frame) { frame in
        unsafe reader.pointee.frame = unsafe frame
        defer { unsafe reader.pointee.frame = unsafe parent }
        return try maker.make(maker.isForCaller ? self : set)
      }
      guard let value else { return .nothing(set) }
      if began != 0 { maker.noteMade(P.self, began: began) }
      return .given(value)
    } catch {
      throw failure(of: maker, in: set, ServiceKey(P.self, name: name), error)
    }
  }

  /// Whether the quick way may be taken inside a provider.
  // SAFETY: as `ServiceContext.admits`.
  @unsafe
  @usableFromInline
  func admits(
    _ slot: UnsafeRawPointer, _ top: UnsafeMutablePointer<junctor_frame>?
  ) -> Bool {
    unsafe ServiceContext.admits(slot, top)
  }

  /// The error to throw for what a transient's provider threw.
  @usableFromInline
  func failure(
    of maker: ServiceMaker, in set: Services, _ key: ServiceKey, _ error: any Error
  ) -> any Error {
    set.slot(key)?.noteRun(error, at: maker.site, took: nil)
    return ServiceError.providerFailed(error, step: ServiceStep(key: key, site: maker.site))
  }
}
