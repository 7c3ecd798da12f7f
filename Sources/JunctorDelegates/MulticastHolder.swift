/// An object that forwards to a multicast: generated ones are, and a class written by hand can be.
///
/// A holder that is added to another multicast is recognised as one: a cycle is refused, optional methods are asked for
/// through it, and the wiring shows both. A class written by hand gives the registry of its list:
///
/// ```swift
/// final class ParserTargets: NSObject, XMLParserDelegate, MulticastHolder {
///   let targets = MulticastList<any XMLParserDelegate>()
///   var multicastRegistry: MulticastRegistry { targets.registry }
/// }
/// ```
///
/// ## Concurrency
/// The registry is asked for on any thread; on a class of an actor's the property is `nonisolated`.
public protocol MulticastHolder: AnyObject, SendableMetatype {
  /// Who is on the list.
  var multicastRegistry: MulticastRegistry { get }
}

extension MulticastHolder {
  /// How many targets are alive.
  ///
  /// - Complexity: O(n).
  public var count: Int { multicastRegistry.count }

  /// Whether no target is alive.
  ///
  /// - Complexity: O(n).
  public var isEmpty: Bool { multicastRegistry.isEmpty }

  /// Says whether an object is one of the targets.
  ///
  /// - Parameter target: the object in question.
  /// - Returns: whether it is on the list.
  /// - Complexity: O(log n).
  public func contains(_ target: AnyObject) -> Bool { multicastRegistry.contains(target) }

  /// Takes a target out. Works from inside a call and from the target's `deinit`.
  ///
  /// - Parameter target: the object to take out.
  /// - Returns: whether it was there.
  /// - Complexity: O(log n).
  @discardableResult
  public func remove(_ target: AnyObject) -> Bool { multicastRegistry.remove(target) }

  /// Watches for calls that no target answers; see `MulticastRegistry.watchUnreachedCalls(_:)`.
  ///
  /// - Parameter handler: gets the call, or `nil` to watch no longer.
  /// - Complexity: O(1).
  public func watchUnreachedCalls(_ handler: (@Sendable (UnreachedCall) -> Void)?) {
    multicastRegistry.watchUnreachedCalls(handler)
  }

  /// Takes every target out.
  ///
  /// - Complexity: O(n).
  public func removeAll() { multicastRegistry.removeAll() }
}
