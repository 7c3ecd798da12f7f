public import CJunctorDelegates
public import Synchronization

extension MulticastEntry {
  /// Whether the target may implement an optional method: no only where it is known not to.
  @inlinable
  func mayRespond(to method: OptionalMethod, _ object: AnyObject) -> Bool {
    if isKnownToImplement(method) { return true }
    // Relaxed: the bit alone is the message.
    if method.mask & defaulted.load(ordering: .relaxed) != 0 { return false }
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

  /// Has a nested multicast tell whether anyone answers the call that is about to be made.
  @inlinable
  func awaitAnswer(to method: OptionalMethod, _ object: AnyObject) -> AwaitedAnswer? {
    isNested ? awaitNestedAnswer(to: method, object) : nil
  }

  /// The same, for an entry that is nested.
  @usableFromInline
  func awaitNestedAnswer(to method: OptionalMethod, _ object: AnyObject) -> AwaitedAnswer? {
    guard let registry = (object as? any MulticastHolder)?.multicastRegistry else { return nil }
    return AwaitedAnswer(registry: registry, id: registry.answers.await(method))
  }

  /// Whether the target, which was just called, answered by an implementation of its own.
  @inlinable
  func didRespond(
    to method: OptionalMethod, _ object: AnyObject, _ awaited: AwaitedAnswer?
  ) -> Bool {
    if isKnownToImplement(method) { return true }
    return didRespondSlowly(to: method, object, awaited)
  }

  /// Finds out what the call told of the target, and notes what will stay true.
  @usableFromInline
  func didRespondSlowly(
    to method: OptionalMethod, _ object: AnyObject, _ awaited: AwaitedAnswer?
  ) -> Bool {
    // What the call itself said. A holder written by hand that does not name the method to its list says nothing.
    if let answered = awaited?.end() { return answered }
    let facts = junctor_facts()
    guard mayRespondSlowly(to: method, object) else { return false }
    if !isNested { noteImplementation(of: method, facts: facts) }
    return true
  }

  /// Forgets a call that ended in an error.
  @usableFromInline
  func didThrow(_ awaited: AwaitedAnswer?) { awaited?.end() }

  // MARK: - What is noted

  /// Whether the target's class was found not to have taken the default, and nothing was learnt since.
  ///
  /// That it has not is no proof: whoever called it may have failed before. So what is noted holds for as long as no class
  /// is found to take any default.
  @inlinable
  func isKnownToImplement(_ method: OptionalMethod) -> Bool {
    // Relaxed: the word alone is the message, facts and bits in one.
    let known = implemented.load(ordering: .relaxed)
    return UInt64(method.shortMask) & known != 0 && UInt32(known >> 32) == junctor_facts()
  }

  private func noteImplementation(of method: OptionalMethod, facts: UInt32) {
    var known = implemented.load(ordering: .relaxed)
    while true {
      let bits = UInt32(known >> 32) == facts ? UInt32(truncatingIfNeeded: known) : 0
      let new = UInt64(facts) << 32 | UInt64(bits | method.shortMask)
      let (done, found) = implemented.weakCompareExchange(
        expected: known, desired: new, ordering: .relaxed)
      if done { return }
      known = found
    }
  }
}
