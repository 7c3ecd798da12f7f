internal import JunctorCore
internal import Synchronization
public import Testing

/// Notes objects that must be gone by the end of a test.
///
/// ```swift
/// let leaks = LeakCheck()
/// do {
///   let model = leaks.watch(Model())
///   …
/// }
/// leaks.expectNone()
/// ```
///
/// ## Concurrency
/// May be used from any thread. Retains nothing that it watches.
public final class LeakCheck: Sendable {
  private final class Watched: Sendable {
    let object: OwnerReference
    let name: String

    init?(_ object: AnyObject, _ name: String) {
      guard let reference = OwnerReference(object) else { return nil }
      self.object = reference
      self.name = name
    }
  }

  private let watched = Mutex<[Watched]>([])

  /// Watches nothing yet.
  public init() {}

  /// Watches an object.
  ///
  /// - Parameters:
  ///   - object: is held weakly.
  ///   - name: what it is called if it does not go; its type, unless given.
  /// - Returns: the object.
  /// - Complexity: amortised O(1).
  @discardableResult
  public func watch<Object: AnyObject>(
    _ object: Object, _ name: String? = nil
  ) -> Object {
    // One that is being deinitialised has gone already.
    if let entry = Watched(object, name ?? "\(Object.self)") {
      watched.withLock { $0.append(entry) }
    }
    return object
  }

  /// The names of those that are still there.
  ///
  /// - Complexity: O(n).
  public var living: [String] {
    let all = watched.withLock { $0 }
    return all.filter { $0.object.isAlive }.map(\.name)
  }

  /// The names of those that are still there, each with what it is joined to.
  private func findings() -> [(name: String, joined: String)] {
    watched.withLock { $0 }.compactMap { entry in
      guard let object = entry.object.object else { return nil }
      let joined = Wiring.joined(to: object)
      return (
        entry.name, joined.isEmpty ? "" : ", perhaps here: \(joined.joined(separator: ", "))"
      )
    }
  }

  /// Records an issue for each object that is still there.
  ///
  /// The issue tells what the wiring knows the object to be joined to: its listeners, say, and where they were made.
  ///
  /// - Parameter sourceLocation: where the test expects it.
  /// - Complexity: O(n).
  public func expectNone(sourceLocation: SourceLocation = #_sourceLocation) {
    for (name, joined) in findings() {
      Issue.record(
        "Can't release '\(name)': something still retains it. Look for a closure that captures it\(joined).",
        sourceLocation: sourceLocation)
    }
  }
}
