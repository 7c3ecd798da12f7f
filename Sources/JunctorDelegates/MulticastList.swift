/// Many targets in the place of one delegate, for those who write the forwarding themselves.
///
/// ```swift
/// let targets = MulticastList<any PlayerDelegate>()
/// targets.add(logger)
/// targets.forEach { $0.playerDidStart(player) }
/// let mayPlay = targets.every { $0.player(player, mayPlay: track) } ?? true
/// ```
///
/// - Targets are called in order: priority, higher first, then adding. `before` and `after` place one beside another.
/// - A call sees the list as it stood when the call began. A target added during it is met by the next call; one that was
///   removed or has died meanwhile is not called.
/// - Every target is called, whatever the result is made of; only the error policy `.stop` ends a call early.
/// - A result is `nil` if nobody answered.
///
/// A list is a handle: copies are the same list.
///
/// ## Concurrency
/// Sendable if its targets are; then it may be used from any thread, from inside a call and from `deinit`. Otherwise it
/// stays where it was made, while its `registry` may still be used from anywhere to ask and to remove. Targets are called on
/// the caller's thread, without a lock held, and held strongly for the duration of their call only.
public struct MulticastList<Target> {
  /// Who is on the list, whatever they are called as.
  public let registry: MulticastRegistry

  /// Makes an empty list.
  ///
  /// - Parameters:
  ///   - label: what it is called in reports and in the wiring; by default its targets' type.
  ///   - fileID: the file that makes it.
  ///   - line: the line that makes it.
  /// - Complexity: O(1).
  public init(label: String? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
    registry = MulticastRegistry(
      label: label ?? "\(Target.self)", site: SourceSite(fileID: fileID, line: line))
  }

  /// The list of a registry, as one of the types that its targets were added as. For generated code: whoever calls this
  /// vouches that targets which are not Sendable are called where they belong.
  ///
  /// - Parameter registry: who is on the list.
  @inlinable
  public init(_of registry: MulticastRegistry) {
    self.registry = registry
  }
}

extension MulticastList: Sendable where Target: Sendable {}

// MARK: - Asking it

extension MulticastList {
  /// The living targets, in the order in which they are called.
  ///
  /// - Complexity: O(n).
  public var targets: [Target] {
    var targets: [Target] = []
    for entry in registry.entries() {
      guard let object = entry.owner.object else { continue }
      withExtendedLifetime(object) {
        if let target = entry.target(as: Target.self) { targets.append(target) }
      }
    }
    return targets
  }

  /// How many targets are alive.
  ///
  /// - Complexity: O(n).
  public var count: Int { registry.count }

  /// Whether no target is alive.
  ///
  /// - Complexity: O(n).
  public var isEmpty: Bool { registry.isEmpty }

  /// Says whether an object is one of the targets.
  ///
  /// - Parameter target: the object in question.
  /// - Returns: whether it is on the list.
  /// - Complexity: O(log n).
  public func contains(_ target: AnyObject) -> Bool { registry.contains(target) }

  /// Takes a target out. Works from inside a call and from the target's `deinit`.
  ///
  /// - Parameter target: the object to take out.
  /// - Returns: whether it was there.
  /// - Complexity: O(log n).
  @discardableResult
  public func remove(_ target: AnyObject) -> Bool { registry.remove(target) }

  /// Takes every target out.
  ///
  /// - Complexity: O(n).
  public func removeAll() { registry.removeAll() }
}
