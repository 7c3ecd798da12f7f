#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Another program, run once with some input, never waited for longer than a limit.
///
/// Its input and its complaints are files without a name, so that neither side can wait for the other; only its output is a
/// pipe, which is read with a deadline.
struct ChildProgram {
  /// How it went.
  enum Outcome {
    /// It could not be started, and why.
    case notStarted(String)
    /// It took too long and was ended.
    case timedOut
    /// It ended by itself: its status (128 + the signal that ended it), its output, its complaints.
    case ended(Int32, output: [UInt8], complaint: [UInt8])
  }

  /// The program's path.
  let path: String
  /// What it is started with.
  let arguments: [String]

  /// Finds a program in the folders of the environment's `PATH`.
  ///
  /// - Complexity: O(folders).
  static func find(_ name: String) -> String? {
    // SAFETY: the environment's bytes are copied at once; whoever changes the environment meanwhile breaks C's rules.
    guard let variable = unsafe getenv("PATH") else { return nil }
    let folders = unsafe String(cString: variable)
    for folder in folders.split(separator: ":") {
      let path = "\(folder)/\(name)"
      // SAFETY: the string lives through the call.
      if unsafe access(path, X_OK) == 0 { return path }
    }
    return nil
  }

  /// Runs it.
  ///
  /// - Complexity: that of the program.
  func run(input: [UInt8], timeLimit: Duration) -> Outcome {
    #if os(macOS) || os(Linux) || os(FreeBSD)
      guard let source = ScratchFile(), source.fill(input), let complaint = ScratchFile() else {
        return .notStarted("there is no room for temporary files")
      }
      guard var pipe = Pipe() else { return .notStarted("no pipe can be made") }
      let child: pid_t
      switch start(input: source.descriptor, output: pipe.writing, complaint: complaint.descriptor)
      {
      case .success(let number): child = number
      case .failure(let failure): return .notStarted(failure.words)
      }
      pipe.closeWriting()
      let deadline = ContinuousClock.now + timeLimit.waitable
      guard let output = pipe.read(until: deadline) else {
        kill(child, SIGKILL)
        _ = wait(for: child)
        return .timedOut
      }
      return .ended(wait(for: child), output: output, complaint: complaint.contents())
    #else
      return .notStarted("this system starts no programs")
    #endif
  }
}
