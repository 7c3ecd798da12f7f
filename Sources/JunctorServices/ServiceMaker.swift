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

  /// Makes the part that has no type.
  init(site: SourceSite, isForCaller: Bool) {
    self.site = site
    self.isForCaller = isForCaller
  }
}

/// Makes a transient under the type it was registered with.
@usableFromInline
final class TypedMaker<P: Sendable>: ServiceMaker, @unchecked Sendable {
  // SAFETY (unchecked Sendable): a constant of a `Sendable` type.

  /// The provider.
  @usableFromInline let make: @Sendable (Services) throws -> P?

  /// Keeps a provider.
  init(
    site: SourceSite, isForCaller: Bool, _ make: @escaping @Sendable (Services) throws -> P?
  ) {
    self.make = make
    super.init(site: site, isForCaller: isForCaller)
  }
}

extension Services {
  /// What came of looking for a transient.
  @usableFromInline
  enum TransientResult<P> {
    /// There is none that is made the quick way.
    case otherwise
    /// It was made.
    case made(P)
    /// Its provider had nothing; the sets behind that one are asked.
    case nothing(Services)
  }

  /// Makes a transient where that takes no more than to run its provider.
  @inlinable
  func transient<P: Sendable>(_ type: P.Type) throws -> TransientResult<P> {
    // SAFETY: the record is this thread's own. What is found is retained before `junctor_reader_end`; the maker under the
    // number of `P` is always a `TypedMaker<P>`. The frame lives in this function's own frame and is taken off before it
    // is left; the slot that it names lives as long as its set, which is retained meanwhile.
    if junctor_stack_left() < 262_144 { return .otherwise }
    let reader = unsafe junctor_reader_record()
    let found = unsafe junctor_find_transient(
      reader, core, UInt(bitPattern: ObjectIdentifier(P.self)), 0)
    guard let address = unsafe found.maker, let owner = unsafe found.owner,
      let slot = unsafe found.slot
    else { return .otherwise }
    let maker = unsafe Unmanaged<TypedMaker<P>>.fromOpaque(address).takeUnretainedValue()
    let set = unsafe Unmanaged<Services>.fromOpaque(owner).takeUnretainedValue()
    unsafe junctor_reader_end(reader)
    var frame = unsafe junctor_frame(
      parent: nil, slot: slot, build: nil, is_build: false, argument: nil, argument_hash: 0,
      depth: 1)
    do {
      let value = try unsafe withUnsafeMutablePointer(to: &frame) { frame in
        unsafe reader.pointee.frame = unsafe frame
        defer { unsafe reader.pointee.frame = nil }
        return try maker.make(maker.isForCaller ? self : set)
      }
      guard let value else { return .nothing(set) }
      return .made(value)
    } catch {
      throw failure(of: maker, in: set, ServiceKey(P.self), error)
    }
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
