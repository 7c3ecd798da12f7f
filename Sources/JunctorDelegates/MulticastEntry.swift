public import JunctorCore
public import Synchronization

/// One target's place in a multicast.
///
/// ## Concurrency
/// Constant, but for atomics. Holds its target weakly, unless `retained` is set.
@usableFromInline
@safe
final class MulticastEntry: _ListEntry, @unchecked Sendable {
  // SAFETY (unchecked Sendable): constants, an immutable table of bits, and atomics. `retained` is only released here.

  /// The type that most calls use, and where its bits lie.
  @usableFromInline let type: ObjectIdentifier
  /// Where the target lies as that type.
  @usableFromInline let bits: UnsafeMutableRawPointer
  /// The target as each of its types.
  @usableFromInline let faces: MulticastFaces

  /// Optional methods that the target was not found to leave to the default, a bit for each of the first 32, below the
  /// number of facts that were known then.
  @usableFromInline let implemented = Atomic<UInt64>(0)
  /// Optional methods that the target is known to leave to the default.
  @usableFromInline let defaulted = Atomic<UInt64>(0)
  /// Whether the target holds a multicast itself.
  @usableFromInline let isNested: Bool

  /// Whether it has its place for good: until then another thread may be adding the same target.
  private let settled = Atomic<Bool>(false)

  private let name: ObjectIdentifier
  private let index: MulticastIndex
  private let retained: AnyObject?

  /// Makes a place for a target; `nil` if its deinitialiser has begun.
  init?(
    _ object: AnyObject, faces: MulticastFaces, index: MulticastIndex, isNested: Bool,
    retaining: Bool, site: SourceSite
  ) {
    guard let first = faces.first else { return nil }
    type = first.type
    unsafe bits = first.bits
    self.faces = faces
    self.index = index
    self.isNested = isNested
    name = ObjectIdentifier(object)
    // An object that is being deinitialised must not be retained for longer than that.
    retained = retaining && OwnerReference(object) != nil ? object : nil
    super.init(owner: object, site: site)
    // Nobody calls it before it has its place: see `settle()`.
    setPaused(true)
  }

  /// Notes that it has its place for good, and may be called.
  func settle() {
    settled.store(true, ordering: .releasing)
    setPaused(false)
  }

  /// Whether it has its place for good.
  var isSettled: Bool { settled.load(ordering: .acquiring) }

  /// Gives up its place at once, although a call that is under way may keep the entry for a while.
  override func _didLeaveList() { forget() }

  // An entry that dies with its list does not leave it.
  deinit { forget() }

  private func forget() {
    index.forget(name, entry: id)
    if isNested { MulticastNesting.forget(entry: id) }
  }

  /// Where the target lies as one of its types; `nil` for a type that it was not added as.
  @inlinable
  @inline(__always)
  func bits(of wanted: ObjectIdentifier) -> UnsafeMutableRawPointer? {
    unsafe wanted == type ? bits : faces.bits(of: wanted)
  }

  /// The target as one of its types; `nil` for a type that it was not added as. The caller holds the object.
  func target<Target>(as target: Target.Type) -> Target? {
    // SAFETY: the bits are those of a value of the type that was noted with them, and the object is alive: reading makes
    // a reference of its own.
    unsafe bits(of: ObjectIdentifier(target)).map { unsafe $0.load(as: Target.self) }
  }

  /// Whether the target is kept by this entry.
  var isRetaining: Bool { retained != nil }
}

/// Lends what lies somewhere to a function, without a reference of its own.
///
/// A copyable value would be retained for the call. The object is held by the walk already; written for values that cannot
/// be copied, the function has no choice but to lend.
@inlinable
@inline(__always)
func lend<Value: ~Copyable, Result, Failure: Error>(
  _ pointer: UnsafeMutablePointer<Value>, to body: (borrowing Value) throws(Failure) -> Result
) throws(Failure) -> Result {
  try unsafe body(pointer.pointee)
}
