public import CJunctorDelegates
public import JunctorCore

extension MulticastList {
  /// Calls every target in order and hands on what it answered: what all calls without suspension are made of.
  ///
  /// - Parameters:
  ///   - policy: what happens when a target throws.
  ///   - method: the optional method that is called; targets that leave it to the default do not answer.
  ///   - function: the method's name, for reports.
  ///   - call: calls one target.
  ///   - answer: gets the result of a target that answered.
  /// - Throws: the first error that a target threw.
  /// - Complexity: O(n). Allocates nothing, but for the first call after a change.
  @inlinable
  @inline(__always)
  func walk<Result, Failure: Error>(
    _ policy: MulticastErrorPolicy, _ method: OptionalMethod?, _ function: StaticString,
    _ call: (Target) throws(Failure) -> Result, _ answer: (Result) -> Void
  ) throws(Failure) {
    // How many were reached; counted from the smallest number of all where the call is recorded.
    var reached = 0
    var began: UInt64 = 0
    var isRefused = false
    var failure: Failure?
    let type = ObjectIdentifier(Target.self)
    // Whoever called this list as a target wants to know whether anyone answered.
    let awaited = method.flatMap { registry.answers.take($0) }
    var noted = unsafe junctor_call()
    unsafe withUnsafeMutablePointer(to: &noted) { noted in
      // SAFETY: the call is noted until its end, on this thread, for as long as the pointer is valid.
      guard unsafe junctor_begin_call(noted, registry.id) || registry.beginDeeply(noted, function)
      else {
        isRefused = true
        return
      }
      while true {
        registry.list.walk(evenIfHidden: reached < 0) { entry, object -> Bool in
          // SAFETY: only `MulticastEntry` is ever added to a registry's list.
          let entry = unsafe unsafeDowncast(entry, to: MulticastEntry.self)
          guard let bits = unsafe entry.bits(of: type) else { return true }
          if let method, !entry.mayRespond(to: method, object) { return true }
          let nested = method.flatMap { entry.awaitAnswer(to: $0, object) }
          do throws(Failure) {
            // SAFETY: the bits are those of a `Target`, and the walk holds the object meanwhile.
            let result = try unsafe lend(bits.assumingMemoryBound(to: Target.self)) {
              (target: borrowing Target) throws(Failure) -> Result in
              try call(target)
            }
            if let method, !entry.didRespond(to: method, object, nested) { return true }
            reached &+= 1
            answer(result)
          } catch {
            if method != nil { entry.didThrow(nested) }
            reached &+= 1
            if failure == nil { failure = error }
            return policy == .callAll
          }
          return true
        }
        if reached != 0 { break }
        // While calls are recorded the list is hidden: this walk met nobody, and the next is measured.
        began = registry.recordingTime
        if began == 0 { break }
        reached = .min
      }
      unsafe junctor_end_call(noted)
    }
    if let awaited {
      registry.answers.settle(awaited, wasAnswered: reached != 0 && reached != .min)
    }
    if reached <= 0 && !isRefused {
      registry.noteCall(function, reached: reached, began: began, failed: failure != nil)
    }
    if let failure { throw failure }
  }

  /// Calls every target.
  ///
  /// - Parameters:
  ///   - policy: what happens when a target throws.
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  ///   - call: calls one target.
  /// - Throws: the first error that a target threw.
  /// - Complexity: O(n). Allocates nothing, but for the first call after a change.
  @inlinable
  public func forEach<Failure: Error>(
    onError policy: MulticastErrorPolicy = .callAll, optional method: OptionalMethod? = nil,
    function: StaticString = #function, _ call: (Target) throws(Failure) -> Void
  ) throws(Failure) {
    try walk(policy, method, function, call) { _ in }
  }
}
