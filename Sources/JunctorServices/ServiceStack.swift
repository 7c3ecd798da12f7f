internal import CJunctorServices
internal import JunctorCore

/// Gives deep chains of providers a further stack before the one they run on is used up.
///
/// A provider that finds less than `reserve` bytes left runs on a thread of its own, with a large stack, while the thread
/// that asked waits for it; so does a container of another make. Not so for one of the main actor, which has that thread's
/// stack alone. The task's current set and the diagnostics' handler go along; a task-local value of the user's does not.
enum ServiceStack {
  /// What a provider finds at least.
  static let reserve = 160 * 1024

  /// The size of a further stack; only what is touched takes memory.
  static let size = 64 * 1024 * 1024

  /// Runs a provider on a stack of its own.
  ///
  /// - Parameters:
  ///   - frame: the innermost frame there; `nil` for none.
  ///   - step: what cannot be given if there is no stack.
  ///   - body: runs the provider.
  static func run<Result>(
    frame: UnsafeMutablePointer<junctor_frame>?, step: ServiceStep, _ body: () throws -> Result
  ) throws -> Result {
    let diagnostics = Junctor.diagnostics
    let set = Services.scopedCurrent
    let task = ServiceTask.current
    let question = ForeignQuestion.current
    var result: Swift.Result<Result, any Error>?
    let made = withoutActuallyEscaping(body) { body in
      var call: () -> Void = {
        // SAFETY: the record is the new thread's own; the frame outlives the thread, which is waited for.
        unsafe junctor_reader_record().pointee.frame = unsafe frame
        defer { unsafe junctor_reader_record().pointee.frame = nil }
        result = .init(catching: {
          try Junctor.withDiagnostics(diagnostics) {
            try Services.$scopedCurrent.withValue(set) {
              try ServiceTask.$current.withValue(task) {
                try ForeignQuestion.$current.withValue(question, operation: body)
              }
            }
          }
        })
      }
      return unsafe withUnsafeMutablePointer(to: &call) { call in
        // SAFETY: the function returns only after the thread has ended, so `call` outlives its use.
        unsafe junctor_run_on_stack(
          size, { unsafe $0.assumingMemoryBound(to: (() -> Void).self).pointee() }, call)
      }
    }
    guard made, let result else { throw ServiceError.noStack(step, isOnMainActor: false) }
    return try result.get()
  }
}
