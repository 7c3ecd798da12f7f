internal import Junctor
public import Testing

/// Gives each test an exchange of its own in the place of the shared one.
///
/// ```swift
/// @Suite(.ownExchange) struct LoginTests { … }
/// ```
///
/// Channels of the shared exchange, made before the test or in it, mean those of the test's exchange meanwhile. Tests that
/// run side by side do not hear each other. Detached tasks and queues are outside, as with `Exchange.withShared`.
///
/// ## Concurrency
/// A value; may be used anywhere. The exchange lives as long as the test, or as anybody holds it.
public struct OwnExchangeTrait: TestTrait, SuiteTrait, TestScoping {
  /// Holds for each test of a suite rather than for the suite as a whole.
  public var isRecursive: Bool { true }

  /// Runs one test with an exchange of its own.
  ///
  /// - Parameters:
  ///   - test: gives the exchange its name.
  ///   - testCase: the case of the test that is run; `nil` for a suite, which gets no exchange.
  ///   - function: runs the test.
  /// - Throws: what the test throws.
  /// - Complexity: O(1), beside the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await Exchange.withShared(Exchange(label: test.name)) { try await function() }
  }
}

extension Trait where Self == OwnExchangeTrait {
  /// Gives each test an exchange of its own in the place of the shared one.
  public static var ownExchange: Self { OwnExchangeTrait() }
}
