public import JunctorCore

extension MulticastList {
  /// Adds a target behind all others of its priority.
  ///
  /// The target is held weakly; nothing needs to be kept. A value that is no object is refused. Where `Target` is `any` of
  /// a class-bound protocol, a structure does not compile here.
  ///
  /// - Parameters:
  ///   - target: the target; one that is on the list keeps its place.
  ///   - priority: targets of a higher priority are called first.
  ///   - retaining: whether the list keeps the target alive.
  ///   - fileID: the file that adds it.
  ///   - line: the line that adds it.
  /// - Returns: what came of it, and the token that takes the target out.
  /// - Complexity: amortised O(1).
  @discardableResult
  public func add(
    _ target: Target, priority: Int = 0, retaining: Bool = false, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> MulticastAddition {
    let site = SourceSite(fileID: fileID, line: line)
    return add(target, at: .priority(priority), retaining: retaining, site: site) {
      $0.append(target, as: Target.self)
    }
  }

  /// Adds a target directly before another, with that one's priority.
  ///
  /// - Parameters:
  ///   - target: the target; one that is on the list keeps its place.
  ///   - anchor: the other one; if it is not there, the target is appended and the result says so.
  ///   - retaining: whether the list keeps the target alive.
  ///   - fileID: the file that adds it.
  ///   - line: the line that adds it.
  /// - Returns: what came of it, and the token that takes the target out.
  /// - Complexity: O(n).
  @discardableResult
  public func add(
    _ target: Target, before anchor: AnyObject, retaining: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> MulticastAddition {
    let site = SourceSite(fileID: fileID, line: line)
    return add(target, at: .beside(.before, anchor), retaining: retaining, site: site) {
      $0.append(target, as: Target.self)
    }
  }

  /// Adds a target directly after another, with that one's priority.
  ///
  /// - Parameters:
  ///   - target: the target; one that is on the list keeps its place.
  ///   - anchor: the other one; if it is not there, the target is appended and the result says so.
  ///   - retaining: whether the list keeps the target alive.
  ///   - fileID: the file that adds it.
  ///   - line: the line that adds it.
  /// - Returns: what came of it, and the token that takes the target out.
  /// - Complexity: O(n).
  @discardableResult
  public func add(
    _ target: Target, after anchor: AnyObject, retaining: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> MulticastAddition {
    let site = SourceSite(fileID: fileID, line: line)
    return add(target, at: .beside(.after, anchor), retaining: retaining, site: site) {
      $0.append(target, as: Target.self)
    }
  }

  /// Adds a target for generated code, which notes it under every type that it is called as.
  ///
  /// - Parameters:
  ///   - target: the target.
  ///   - place: where it is to stand.
  ///   - retaining: whether the list keeps the target alive.
  ///   - site: where it is added.
  ///   - fill: notes the types.
  /// - Returns: what came of it.
  /// - Complexity: O(n) beside an anchor, otherwise amortised O(1).
  public func _add(
    _ target: Target, _ place: _MulticastPlace, retaining: Bool, site: SourceSite,
    fill: (MulticastFaces) -> Void
  ) -> MulticastAddition {
    add(target, at: place.place, retaining: retaining, site: site, fill: fill)
  }

  private func add(
    _ target: Target, at place: MulticastRegistry.Place, retaining: Bool, site: SourceSite,
    fill: (MulticastFaces) -> Void
  ) -> MulticastAddition {
    // Through `Any`: the type of a protocol's value as such would be the protocol.
    guard Swift.type(of: target as Any) is AnyClass else {
      return registry.refuse(.notAnObject, target, site)
    }
    return registry.add(
      target as AnyObject, at: place, retaining: retaining, site: site, fill: fill)
  }
}

/// Where generated code wants a target to stand.
///
/// ## Concurrency
/// A value; not meant to be kept.
public struct _MulticastPlace {
  /// The place as the registry knows it.
  let place: MulticastRegistry.Place

  /// Behind all others of a priority.
  public static func priority(_ priority: Int) -> Self { Self(place: .priority(priority)) }

  /// Directly before another target.
  public static func before(_ anchor: AnyObject) -> Self { Self(place: .beside(.before, anchor)) }

  /// Directly after another target.
  public static func after(_ anchor: AnyObject) -> Self { Self(place: .beside(.after, anchor)) }
}
