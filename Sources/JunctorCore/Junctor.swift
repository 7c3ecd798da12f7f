internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// What holds for the whole package: where its diagnostics go.
///
/// ## Concurrency
/// Everything here may be used from any thread.
public enum Junctor {
  /// Receives the diagnostics of the whole package.
  public typealias DiagnosticsHandler = @Sendable (Diagnostic) -> Void

  @TaskLocal private static var scoped: DiagnosticsHandler?
  private static let handler = Mutex(Handler())

  // A closure that is a lock's own value is wrapped anew at each look, where nothing is optimised; one in a structure is not.
  private struct Handler {
    var call: DiagnosticsHandler?
  }

  /// The one place that misuse is reported to; by default one line on standard error.
  ///
  /// The line ends in the diagnostic's code, under which the articles explain it.
  ///
  /// ## Concurrency
  /// May be read and set from any thread. The handler runs on the thread on which the misuse was found, with no lock of
  /// Junctor's held, so it may use Junctor itself. It is retained until it is replaced.
  public static var diagnostics: DiagnosticsHandler {
    get {
      if let scoped { return scoped }
      return handler.withLock { $0.call } ?? writeToStandardError
    }
    set {
      // What was there dies outside the lock.
      let old = handler.withLock { current in
        let old = current.call
        current.call = newValue
        return old
      }
      _ = old
    }
  }

  /// Sends the diagnostics of an operation, and of the tasks made in it, to a handler of its own.
  ///
  /// Meant for tests: tests that run side by side do not hear each other.
  ///
  /// - Parameters:
  ///   - handler: receives the diagnostics meanwhile.
  ///   - operation: what is done meanwhile.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  /// - Complexity: O(1), beside the operation.
  public static func withDiagnostics<Result>(
    _ handler: @escaping DiagnosticsHandler, operation: () throws -> Result
  ) rethrows -> Result {
    try $scoped.withValue(handler, operation: operation)
  }

  /// Sends the diagnostics of an asynchronous operation to a handler of its own.
  ///
  /// - Parameters:
  ///   - handler: receives the diagnostics meanwhile.
  ///   - operation: what is done meanwhile, on the caller's isolation.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  /// - Complexity: O(1), beside the operation.
  public static func withDiagnostics<Result>(
    _ handler: @escaping DiagnosticsHandler,
    operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await $scoped.withValue(handler, operation: operation)
  }

  /// Reports a misuse. Call it with no lock held.
  package static func report(_ diagnostic: Diagnostic) {
    diagnostics(diagnostic)
  }

  /// The line that stands for a diagnostic on standard error: sentence, places, and the code that leads to its article.
  package static func line(for diagnostic: Diagnostic) -> String {
    "Junctor: \(diagnostic) (\(diagnostic.code))"
  }

  @Sendable
  private static func writeToStandardError(_ diagnostic: Diagnostic) {
    var line = line(for: diagnostic) + "\n"
    line.withUTF8 { bytes in
      // SAFETY: the buffer is valid for the length of the call; a short or failed write loses text only.
      _ = unsafe write(2, bytes.baseAddress, bytes.count)
    }
  }
}
