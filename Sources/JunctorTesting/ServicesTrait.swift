public import Junctor
public import Testing

/// Gives each test a set of services of its own, current while the test runs.
///
/// ```swift
/// @Test(.services { services in
///   services.set((any TimeSource).self, to: FixedTime())
/// })
/// func `reads the time`() {
///   let reader = Reader()  // its @Injected properties find the test's set
///   #expect(reader.time.now() == 12)
/// }
/// ```
///
/// On a suite it applies to every test in it. Nothing is global: tests that run side by side do not see each other's set,
/// and the set, with the doubles in it, is let go when the test has ended.
///
/// ## Concurrency
/// The closure runs before each test, in the test's task.
public struct ServicesTrait: TestTrait, SuiteTrait, TestScoping {
  private let prepare: @Sendable (Services) throws -> Void

  /// Keeps what prepares the set.
  init(_ prepare: @escaping @Sendable (Services) throws -> Void) { self.prepare = prepare }

  /// Whether the tests of a suite get the trait as well.
  public var isRecursive: Bool { true }

  /// Runs one test with a set of its own.
  ///
  /// - Parameters:
  ///   - test: the test.
  ///   - testCase: the test's case; `nil` for a suite, which is run as it is.
  ///   - function: runs the test.
  /// - Throws: what the test throws, or what preparing the set threw.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    // A trait of the test adds to the one of its suite.
    let services =
      Services.current.map { Services(test.name, alternate: $0) } ?? Services(test.name)
    try prepare(services)
    try await withServices(services, operation: function)
  }
}

extension Trait where Self == ServicesTrait {
  /// Gives each test a set of services of its own, current while the test runs.
  ///
  /// - Parameter prepare: registers what the test needs.
  /// - Returns: the trait.
  public static func services(
    _ prepare: @escaping @Sendable (Services) throws -> Void
  ) -> ServicesTrait {
    ServicesTrait(prepare)
  }
}

extension Services {
  /// Registers a double that fails the test when it is asked for.
  ///
  /// For services that a test must not reach: who asks gets an error, and the test a failure with the name of the
  /// service. Also wins over what is registered behind the set. What is made for an argument, and members of
  /// collections, are other services than that: see `setUnimplemented(_:name:argument:sourceLocation:)`.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - name: the name it would be registered with.
  ///   - sourceLocation: where the failure is shown.
  public func setUnimplemented<P: Sendable>(
    _ type: P.Type, name: ServiceName? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let fail = Services.unimplemented(ServiceKey(P.self, name: name), sourceLocation)
    override(type, name: name, lifetime: .transient) { _ in throw fail() }
  }

  /// Registers a double of what is made for an argument, which fails the test when it is asked for.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - name: the name it would be registered with.
  ///   - argument: the argument's type.
  ///   - sourceLocation: where the failure is shown.
  public func setUnimplemented<P: Sendable, Argument: Hashable & Sendable>(
    _ type: P.Type, name: ServiceName? = nil, argument: Argument.Type,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let fail = Services.unimplemented(ServiceKey(P.self, name: name), sourceLocation)
    override(type, name: name, argument: argument) { _, _ in throw fail() }
  }

  /// Makes what fails the test and gives the error to throw.
  private static func unimplemented(
    _ key: ServiceKey, _ sourceLocation: SourceLocation
  ) -> @Sendable () -> ServiceError {
    {
      Issue.record(
        """
        Can't give '\(key)': the test has left it unimplemented. Register a double for it, or keep the code under \
        test from asking.
        """, sourceLocation: sourceLocation)
      return ServiceError.unimplemented(key)
    }
  }
}

/// Records that a method of a double was called which its test did not implement.
///
/// ```swift
/// struct TimeDouble: TimeSource {
///   var now: @Sendable () -> Int = { unimplemented("TimeSource.now", returning: 0) }
/// }
/// ```
///
/// - Parameters:
///   - name: what was called.
///   - placeholder: what the caller gets.
///   - sourceLocation: where the failure is shown.
/// - Returns: the placeholder.
public func unimplemented<Result>(
  _ name: String, returning placeholder: Result,
  sourceLocation: SourceLocation = #_sourceLocation
) -> Result {
  Issue.record(
    "Can't call '\(name)': the test has left it unimplemented. Give the double a body for it.",
    sourceLocation: sourceLocation)
  return placeholder
}
