internal import CJunctorDelegates
internal import Synchronization

/// A requirement by which a multicast is asked whether anyone responds.
///
/// Written by `@Multicast`. For an optional one, the default that `@Optional` writes notes here which classes took it:
/// whether a class implements a method is settled when it is compiled, so one call tells for all objects of the class.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct OptionalMethod: Sendable, Hashable {
  /// Tells the methods of a protocol apart: a hash of the module, the protocol and the signature.
  @usableFromInline let key: UInt64

  /// The bit in an entry, or anything from 64 for none.
  @usableFromInline let bit: UInt8

  /// Makes the name of an optional method. For generated code.
  ///
  /// - Parameters:
  ///   - key: a hash of the module, the protocol and the signature.
  ///   - index: its place among the optional methods of the protocol.
  @inlinable
  public init(_key key: UInt64, index: UInt8) {
    self.key = key
    bit = index
  }

  /// The bit as a mask; zero for none.
  @inlinable var mask: UInt64 { bit < 64 ? 1 << UInt64(bit) : 0 }

  /// The bit as a mask of half the length; zero for none.
  @inlinable var shortMask: UInt32 { bit < 32 ? 1 << UInt32(bit) : 0 }

  /// Notes that an object took the default. For the default that `@Optional` writes.
  ///
  /// - Parameter object: the object that has no implementation of its own.
  /// - Complexity: O(1).
  public func _noteDefault(of object: AnyObject) {
    OptionalFacts.note(type(of: object), self)
  }
}

/// Which classes leave which optional methods to the default.
enum OptionalFacts {
  private struct Fact: Hashable {
    var type: ObjectIdentifier
    var key: UInt64
  }

  // As large as the program has classes with optional methods: it cannot grow with objects.
  private static let state = Mutex<Set<Fact>>([])

  /// Notes that a class took the default of a method.
  static func note(_ type: AnyClass, _ method: OptionalMethod) {
    let fact = Fact(type: ObjectIdentifier(type), key: method.key)
    state.withLock { facts in
      // Under the lock, so that whoever knows of the new number finds the fact.
      if facts.insert(fact).inserted { junctor_learn_fact() }
    }
  }

  /// Whether a class is known to take the default of a method.
  static func takesDefault(_ type: AnyClass, _ method: OptionalMethod) -> Bool {
    let fact = Fact(type: ObjectIdentifier(type), key: method.key)
    return state.withLock { $0.contains(fact) }
  }
}
