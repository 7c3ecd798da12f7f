public import CJunctorServices
public import JunctorCore

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
  /// What is recorded, put together when nobody waits for it.
  let subject: WiringSubject
  /// Makes the same, and is recorded: what look-ups are shown while the history is on; `nil` for one that is.
  let recording: ServiceMaker?

  /// Makes the part that has no type.
  init(site: SourceSite, isForCaller: Bool, subject: WiringSubject, recording: ServiceMaker?) {
    self.site = site
    self.isForCaller = isForCaller
    self.subject = subject
    self.recording = recording
    isRecording = recording == nil
  }

  /// The time from which making is measured.
  @usableFromInline
  final func recordingTime() -> UInt64 { WiringHistory.begin() }

  /// Records that something was made.
  @usableFromInline
  final func noteMade(began: UInt64) {
    WiringHistory.record(.build, subject, site: site, began: began, count: 1)
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
    let subject = WiringSubject.type(P.self, name: name)
    let recording = TypedMaker(
      site: site, isForCaller: isForCaller, subject: subject, recording: nil, make)
    self.init(
      site: site, isForCaller: isForCaller, subject: subject, recording: recording, make)
  }

  private init(
    site: SourceSite, isForCaller: Bool, subject: WiringSubject, recording: ServiceMaker?,
    _ make: @escaping @Sendable (Services) throws -> P?
  ) {
    self.make = make
    super.init(site: site, isForCaller: isForCaller, subject: subject, recording: recording)
  }
}

// MARK: - The quick way

extension Services {
  /// Looks for what is given the quick way under a type and a name; if there is a box or a maker, the reader is inside.
  @usableFromInline
  func find(
    _ reader: UnsafeMutablePointer<junctor_reader>, _ type: UInt, _ name: ServiceName
  ) -> junctor_found {
    // SAFETY: as in the subscript; the slot's name is compared, since two names may share a number.
    var found = unsafe junctor_find(reader, core, type, ServiceKey.number(of: name))
    guard unsafe found.box != nil || found.maker != nil, let cell = unsafe found.cell else {
      return unsafe found
    }
    let isIt = unsafe Unmanaged<ServiceSlot>.fromOpaque(cell.pointee.slot)._withUnsafeGuaranteedRef
    {
      $0.key.name == name && $0.key.argument == nil
    }
    if isIt { return unsafe found }
    unsafe junctor_reader_end(reader)
    unsafe found.box = nil
    unsafe found.maker = nil
    return unsafe found
  }

  /// Takes a service out of the box that a look-up has found, and leaves the look-up.
  // SAFETY: the caller has found the box under the type `P`, and its reader is inside.
  @unsafe
  @inlinable
  @inline(__always)
  func take<P: Sendable>(
    _ type: P.Type, _ box: UnsafeRawPointer, _ found: junctor_found,
    _ reader: UnsafeMutablePointer<junctor_reader>
  ) -> P {
    // SAFETY: the box cannot die before the reader has left; what is copied out of it is retained. The box under the
    // number of `P` is always a `TypedBox<P>`: see `typed(_:)`. There is a cell where there is a box.
    let value = unsafe Unmanaged<TypedBox<P>>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.value }
    if let cell = unsafe found.cell, unsafe junctor_must_note(reader, cell) {
      unsafe leave(reader, noting: cell)
    } else {
      unsafe junctor_reader_end(reader)
    }
    return value
  }

  /// Leaves a look-up, and notes that whoever asks was given what it has found.
  // SAFETY: the reader is inside, and `cell` is what it has found.
  @unsafe
  @usableFromInline
  func leave(
    _ reader: UnsafeMutablePointer<junctor_reader>, noting cell: UnsafePointer<junctor_cell>
  ) {
    let slot = unsafe Unmanaged<ServiceSlot>.fromOpaque(cell.pointee.slot).takeUnretainedValue()
    unsafe junctor_reader_end(reader)
    // Not before: it takes a lock.
    ServiceContext.note(slot)
  }

  /// Notes that whoever asks is given a transient.
  // SAFETY: the cell's set is retained by the caller.
  @unsafe
  @usableFromInline
  func note(_ cell: UnsafePointer<junctor_cell>) {
    unsafe Unmanaged<ServiceSlot>.fromOpaque(cell.pointee.slot)._withUnsafeGuaranteedRef {
      ServiceContext.note($0)
    }
  }

  /// Makes a transient that a look-up has found, and leaves the look-up; goes the slow way where it has found neither
  /// that nor a box.
  // SAFETY: the caller has looked under the type `P`, and its reader is inside if there is a maker.
  @unsafe
  @inlinable
  @inline(__always)
  func make<P: Sendable>(
    _ type: P.Type, name: ServiceName?, _ found: junctor_found,
    _ reader: UnsafeMutablePointer<junctor_reader>, _ site: SourceSite
  ) throws -> P? {
    // SAFETY: what is found is retained before `junctor_reader_end`, or is this set, which the caller retains; the maker
    // under the number of `P` is always a `TypedMaker<P>`. Where there is a maker there are a cell and a set.
    guard let address = unsafe found.maker, let cell = unsafe found.cell,
      let core = unsafe found.set,
      let owner = unsafe core.pointee.owner
    else {
      return try slow(P.self, name: name, site)
    }
    let maker = unsafe Unmanaged<TypedMaker<P>>.fromOpaque(address).takeUnretainedValue()
    let home = unsafe Unmanaged<Services>.fromOpaque(owner)
    // This set is held by whoever asks it; another one might go while the provider runs.
    let other = unsafe core == UnsafePointer(self.core) ? nil : home.takeUnretainedValue()
    unsafe junctor_reader_end(reader)
    return try withExtendedLifetime(other) {
      try unsafe run(maker, of: home, name: name, cell, reader, site)
    }
  }

  /// Runs the provider of a transient on the spot, where that can be told to end; otherwise goes the slow way.
  // SAFETY: the caller holds `home`, the cell is of that set, and the reader is this thread's own.
  @unsafe
  @inlinable
  @inline(__always)
  func run<P: Sendable>(
    _ maker: TypedMaker<P>, of home: Unmanaged<Services>, name: ServiceName?,
    _ cell: UnsafePointer<junctor_cell>, _ reader: UnsafeMutablePointer<junctor_reader>,
    _ site: SourceSite
  ) throws -> P? {
    // SAFETY: the frame lives in this function's own frame and is taken off before it is left; the slot that it names
    // lives as long as its set, which the caller retains.
    guard unsafe junctor_has_stack(reader, 262_144),
      unsafe junctor_admits(reader.pointee.frame, cell.pointee.slot)
    else { return try slow(P.self, name: name, site) }
    if unsafe junctor_must_note(reader, cell) { unsafe note(cell) }
    let began = maker.isRecording ? maker.recordingTime() : 0
    var frame = unsafe junctor_frame()
    let made: P?
    do {
      made = try unsafe withUnsafeMutablePointer(to: &frame) { frame in
        unsafe junctor_frame_enter(reader, frame, cell.pointee.slot)
        defer { unsafe junctor_frame_leave(reader, frame) }
        if maker.isForCaller { return try maker.make(self) }
        return try unsafe home._withUnsafeGuaranteedRef { try maker.make($0) }
      }
    } catch {
      throw unsafe failure(
        of: maker, in: home.takeUnretainedValue(), ServiceKey(P.self, name: name), error)
    }
    // Consumed and not compared: what has no fixed size would be copied for that.
    guard let value = consume made else {
      return try unsafe behind(P.self, name: name, home.takeUnretainedValue(), site)
    }
    if began != 0 { maker.noteMade(began: began) }
    return value
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
