internal import Synchronization

/// Which multicast holds which: keeps cycles from being closed.
///
/// Numbers only, under one lock for the process, which nested multicasts alone ever take; so that of two threads that
/// close a cycle together one is refused.
enum MulticastNesting {
  private struct Edges {
    var children: [UInt64: [UInt64: UInt64]] = [:]
    var parents: [UInt64: UInt64] = [:]

    func reaches(_ goal: UInt64, from start: UInt64) -> Bool {
      var seen: Set<UInt64> = [start]
      var waiting = [start]
      while let next = waiting.popLast() {
        if next == goal { return true }
        for child in (children[next] ?? [:]).values where seen.insert(child).inserted {
          waiting.append(child)
        }
      }
      return false
    }
  }

  private static let state = Mutex(Edges())

  /// Notes that an entry of one multicast holds another; refuses, with nothing noted, what would close a cycle.
  static func join(parent: UInt64, entry: UInt64, child: UInt64) -> Bool {
    state.withLock { edges in
      if edges.reaches(parent, from: child) { return false }
      edges.children[parent, default: [:]][entry] = child
      edges.parents[entry] = parent
      return true
    }
  }

  /// Forgets what an entry held.
  static func forget(entry: UInt64) {
    state.withLock { edges in
      guard let parent = edges.parents.removeValue(forKey: entry) else { return }
      edges.children[parent]?[entry] = nil
      if edges.children[parent]?.isEmpty == true { edges.children[parent] = nil }
    }
  }

  /// How many nested multicasts are noted. For tests.
  static var count: Int { state.withLock { $0.parents.count } }
}
