public import Synchronization

extension MulticastEntry {
  /// Whether the target may implement an optional method: no only where it is known not to.
  @inlinable
  func mayRespond(to method: OptionalMethod, _ object: AnyObject) -> Bool {
    let mask = method.mask
    // Relaxed: the bit alone is the message.
    if mask & implemented.load(ordering: .relaxed) != 0 { return true }
    if mask & defaulted.load(ordering: .relaxed) != 0 { return false }
    return mayRespondSlowly(to: method, object)
  }

  /// Asks a nested multicast, or what is known of the target's class.
  @usableFromInline
  func mayRespondSlowly(to method: OptionalMethod, _ object: AnyObject) -> Bool {
    // A multicast's answer depends on its targets, now; it is never noted.
    if isNested, let holder = object as? any MulticastHolder {
      return holder.multicastRegistry.responds(to: method)
    }
    guard OptionalFacts.takesDefault(Swift.type(of: object), method) else { return true }
    defaulted.bitwiseOr(method.mask, ordering: .relaxed)
    return false
  }

  /// Whether the target, which was just called, answered by an implementation of its own.
  @inlinable
  func didRespond(to method: OptionalMethod, _ object: AnyObject) -> Bool {
    if method.mask & implemented.load(ordering: .relaxed) != 0 { return true }
    return didRespondSlowly(to: method, object)
  }

  /// Finds out what the call told of the target, and notes what will stay true.
  @usableFromInline
  func didRespondSlowly(to method: OptionalMethod, _ object: AnyObject) -> Bool {
    guard mayRespondSlowly(to: method, object) else { return false }
    if !isNested { implemented.bitwiseOr(method.mask, ordering: .relaxed) }
    return true
  }
}
