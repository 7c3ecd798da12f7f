@testable import JunctorCore

/// An object that tells when it is gone.
final class Witness: Sendable {
  private let onDeinit: @Sendable () -> Void

  init(_ onDeinit: @escaping @Sendable () -> Void = {}) { self.onDeinit = onDeinit }

  deinit { onDeinit() }
}

/// An entry that carries a closure, as those of the mechanisms do.
final class TestEntry: _ListEntry, @unchecked Sendable {
  // SAFETY (unchecked Sendable): the closure is constant and Sendable.
  let call: @Sendable () -> Void

  init(call: @escaping @Sendable () -> Void = {}) {
    self.call = call
    super.init(site: SourceSite())
  }

  init?(owner: AnyObject, call: @escaping @Sendable () -> Void = {}) {
    self.call = call
    super.init(owner: owner, site: SourceSite())
  }
}

extension OrderedList {
  /// Adds a closure that lives by its registration.
  @discardableResult
  func add(priority: Int = 0, _ call: @escaping @Sendable () -> Void) -> Registration {
    add(TestEntry(call: call), priority: priority)
  }

  /// Calls everybody.
  func callAll() {
    walk { entry, _ in
      (entry as? TestEntry)?.call()
      return true
    }
  }

  /// The numbers of those who would be called, in order.
  func callable() -> [UInt64] {
    var ids: [UInt64] = []
    walk { entry, _ in
      ids.append(entry.id)
      return true
    }
    return ids
  }
}
