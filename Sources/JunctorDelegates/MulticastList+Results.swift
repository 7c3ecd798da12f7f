extension MulticastList {
  /// Calls every target and returns what the last one answered.
  ///
  /// - Parameters:
  ///   - policy: what happens when a target throws.
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  ///   - call: calls one target.
  /// - Returns: the last answer, or `nil` if nobody answered.
  /// - Throws: the first error that a target threw.
  /// - Complexity: O(n). Allocates nothing, but for the first call after a change.
  @inlinable
  public func last<Result, Failure: Error>(
    onError policy: MulticastErrorPolicy = .callAll, optional method: OptionalMethod? = nil,
    function: StaticString = #function, _ call: (Target) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var last: Result?
    try walk(policy, method, function, call) { last = $0 }
    return last
  }

  /// Calls every target and returns what the first one answered.
  ///
  /// - Parameters:
  ///   - policy: what happens when a target throws.
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  ///   - call: calls one target.
  /// - Returns: the first answer, or `nil` if nobody answered.
  /// - Throws: the first error that a target threw.
  /// - Complexity: O(n). Allocates nothing, but for the first call after a change.
  @inlinable
  public func first<Result, Failure: Error>(
    onError policy: MulticastErrorPolicy = .callAll, optional method: OptionalMethod? = nil,
    function: StaticString = #function, _ call: (Target) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var first: Result?
    try walk(policy, method, function, call) { if first == nil { first = $0 } }
    return first
  }

  /// Calls every target and says whether any of them answered `true`.
  ///
  /// - Parameters:
  ///   - policy: what happens when a target throws.
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  ///   - call: calls one target.
  /// - Returns: whether one did, or `nil` if nobody answered.
  /// - Throws: the first error that a target threw.
  /// - Complexity: O(n). Allocates nothing, but for the first call after a change.
  @inlinable
  public func any<Failure: Error>(
    onError policy: MulticastErrorPolicy = .callAll, optional method: OptionalMethod? = nil,
    function: StaticString = #function, _ call: (Target) throws(Failure) -> Bool
  ) throws(Failure) -> Bool? {
    var any: Bool?
    try walk(policy, method, function, call) { any = (any ?? false) || $0 }
    return any
  }

  /// Calls every target and says whether all of them answered `true`.
  ///
  /// - Parameters:
  ///   - policy: what happens when a target throws.
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  ///   - call: calls one target.
  /// - Returns: whether all did, or `nil` if nobody answered.
  /// - Throws: the first error that a target threw.
  /// - Complexity: O(n). Allocates nothing, but for the first call after a change.
  @inlinable
  public func every<Failure: Error>(
    onError policy: MulticastErrorPolicy = .callAll, optional method: OptionalMethod? = nil,
    function: StaticString = #function, _ call: (Target) throws(Failure) -> Bool
  ) throws(Failure) -> Bool? {
    var every: Bool?
    try walk(policy, method, function, call) { every = (every ?? true) && $0 }
    return every
  }

  /// Calls every target and returns all answers, in order.
  ///
  /// - Parameters:
  ///   - policy: what happens when a target throws.
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  ///   - call: calls one target.
  /// - Returns: the answers; none if nobody answered.
  /// - Throws: the first error that a target threw.
  /// - Complexity: O(n).
  @inlinable
  public func all<Result, Failure: Error>(
    onError policy: MulticastErrorPolicy = .callAll, optional method: OptionalMethod? = nil,
    function: StaticString = #function, _ call: (Target) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var all: [Result] = []
    try walk(policy, method, function, call) { all.append($0) }
    return all
  }

  /// Calls every target and combines the answers from the first to the last.
  ///
  /// - Parameters:
  ///   - policy: what happens when a target throws.
  ///   - method: the optional method that is called, if it is one.
  ///   - function: the method's name, for reports.
  ///   - combine: makes one answer of what was combined so far and the next.
  ///   - call: calls one target.
  /// - Returns: the combined answer, or `nil` if nobody answered.
  /// - Throws: the first error that a target threw.
  /// - Complexity: O(n). Allocates nothing, but for the first call after a change.
  @inlinable
  public func reduce<Result, Failure: Error>(
    onError policy: MulticastErrorPolicy = .callAll, optional method: OptionalMethod? = nil,
    function: StaticString = #function, _ combine: (Result, Result) -> Result,
    _ call: (Target) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var combined: Result?
    try walk(policy, method, function, call) { answer in
      combined = combined.map { combine($0, answer) } ?? answer
    }
    return combined
  }
}
