#if canImport(ObjectiveC)
  internal import ObjectiveC
  internal import Synchronization

  /// What is kept for objects that do not keep it themselves: as an associated object, which goes with its object.
  ///
  /// ## Concurrency
  /// May be used from any thread.
  final class OwnerStorage: Sendable {
    private let creation = Mutex<Void>(())

    /// Makes an empty storage, which is never let go.
    init() {}

    // SAFETY: the address is only compared; the storage lives as long as the process.
    private var key: UnsafeRawPointer {
      unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    /// The value kept for an object.
    ///
    /// - Complexity: O(1).
    func value(for owner: AnyObject) -> AnyObject? {
      unsafe objc_getAssociatedObject(owner, key) as AnyObject?
    }

    /// Keeps a value for an object, unless one is kept already. Returns the one that is kept.
    ///
    /// - Complexity: O(1).
    func keep(_ value: AnyObject, for owner: AnyObject) -> AnyObject {
      creation.withLock { _ in
        if self.value(for: owner) == nil {
          unsafe objc_setAssociatedObject(owner, key, value, .OBJC_ASSOCIATION_RETAIN)
        }
      }
      return self.value(for: owner) ?? value
    }

    /// Zero: nothing is left behind here.
    var count: Int { 0 }

    /// Does nothing: nothing is left behind here.
    func sweep() {}
  }
#else
  /// What is kept for objects that do not keep it themselves: in a table with weak owners.
  typealias OwnerStorage = OwnerTable

  extension OwnerTable {
    /// Clears away every entry whose object is gone.
    func sweep() { while !sweep(limit: 1024).atEnd {} }
  }
#endif
