internal import CJunctorServices
internal import JunctorCore
internal import Synchronization

// MARK: - The slow way

extension Services {
  /// The sets and keys that containers of another make are being asked for on this thread or in this task.
  @TaskLocal static var foreignQuestions: [ForeignQuestion] = []

  /// Gives a service from this set or from what is behind it.
  ///
  /// - Throws: `ServiceError`.
  func find(_ request: ServiceRequest) throws -> ServiceBox? {
    var walk = AlternateWalk(self)
    var current = self
    while true {
      let (phase, alternate) = current.state.withLock { ($0.phase, $0.alternate) }
      if phase != .open {
        throw ServiceError.closed(request.key, set: current, askedAt: request.site)
      }
      if let slot = current.slot(request.key), let box = try slot.obtain(in: current, request) {
        return box
      }
      switch alternate {
      case .none: return nil
      case .foreign(let provider): return try current.ask(provider, request)
      case .set:
        guard let next = walk.next() else {
          if walk.isRing { current.reportRing() }
          return nil
        }
        current = next
      }
    }
  }

  /// Gives a service from what is behind this set.
  func findBehind(_ request: ServiceRequest) throws -> ServiceBox? {
    switch state.withLock({ $0.alternate }) {
    case .none: nil
    case .set(let set): try set.find(request)
    case .foreign(let provider): try ask(provider, request)
    }
  }

  /// Asks a container of another make, unless it is being asked the same already by way of itself.
  func ask(_ provider: any ServicesProvider, _ request: ServiceRequest) throws -> ServiceBox? {
    let question = ForeignQuestion(set: ObjectIdentifier(self), key: request.key)
    let asked = Services.foreignQuestions
    if asked.contains(question) {
      reportRing()
      return nil
    }
    return try Services.$foreignQuestions.withValue(asked + [question]) {
      try request.key.witness.ask(provider, name: request.key.name)
    }
  }

  /// The slot under a key, if there ever was anything.
  func slot(_ key: ServiceKey) -> ServiceSlot? {
    let (type, name) = key.numbers
    // SAFETY: cells and slots live as long as the set.
    guard let cell = unsafe junctor_set_find(core, type, name) else { return nil }
    let slot = unsafe Unmanaged<ServiceSlot>.fromOpaque(cell.pointee.slot).takeUnretainedValue()
    // Two names may share a number; the dictionary does not confuse them.
    return slot.key == key ? slot : state.withLock { $0.slots[key] }
  }

  /// Something was asked of a container of another make.
  struct ForeignQuestion: Hashable, Sendable {
    /// The set that asked.
    let set: ObjectIdentifier
    /// What it asked for.
    let key: ServiceKey
  }
}
