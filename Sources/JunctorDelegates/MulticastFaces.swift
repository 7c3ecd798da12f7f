/// One target as each of the protocols that it is called by.
///
/// Generated code fills it in when a target is added.
///
/// The bits of the existential (the object's address and its witness tables) are kept without a reference; whoever reads
/// them holds the object meanwhile.
///
/// ## Concurrency
/// Filled by one call of `add`, constant from then on. Retains nothing.
public final class MulticastFaces: @unchecked Sendable {
  // SAFETY (unchecked Sendable): changed only while `add` builds it, before anybody else has it; afterwards constant.
  /// A type and where the bits lie that are the target as that type.
  @safe
  struct Face {
    /// The type.
    let type: ObjectIdentifier
    /// Where the bits lie.
    let bits: UnsafeMutableRawPointer

    /// Notes a type and its bits.
    init(type: ObjectIdentifier, bits: UnsafeMutableRawPointer) {
      self.type = type
      unsafe self.bits = bits
    }
  }

  // Most targets have one face; the array stays empty then and takes no memory.
  /// The first face.
  private(set) var first: Face?
  private var others: [Face] = []

  /// Makes an empty set, for `add` to fill.
  init() {}

  deinit {
    // SAFETY: allocated in `append` and given to nobody; the bits own nothing.
    if let first { unsafe first.bits.deallocate() }
    for face in others { unsafe face.bits.deallocate() }
  }

  /// Adds the target as one more type.
  ///
  /// - Parameters:
  ///   - target: the target; an object, whatever its static type.
  ///   - type: what it is called as; without it, the value of a protocol would be taken out of its existential.
  /// - Complexity: O(1).
  public func append<Target>(_ target: Target, as type: Target.Type) {
    let bits = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<Target>.size, alignment: MemoryLayout<Target>.alignment)
    // SAFETY: copies the bytes of a live value into memory of its size. A reference to an object, or an existential whose
    // dynamic type is a class, is bitwise takable; the copy owns no reference and is never destroyed.
    unsafe withUnsafePointer(to: target) { source in
      unsafe bits.copyMemory(from: UnsafeRawPointer(source), byteCount: MemoryLayout<Target>.size)
    }
    let face = unsafe Face(type: ObjectIdentifier(Target.self), bits: bits)
    if first == nil { first = face } else { others.append(face) }
  }

  /// Where the target lies as a type beside the first.
  @usableFromInline
  func bits(of wanted: ObjectIdentifier) -> UnsafeMutableRawPointer? {
    unsafe others.first { $0.type == wanted }?.bits
  }
}
