#if NATS
  import Foundation
  import Synchronization

  /// A child process whose lines are read as they come.
  final class Child: Sendable {
    private struct State {
      var lines: [String] = []
      var hasEnded = false
      var waiters: [CheckedContinuation<Void, Never>] = []
      var rest = ""
    }

    private let state = Mutex(State())
    private let process: Mutex<Process>
    private let input = Mutex<FileHandle?>(nil)
    let pid: Int32

    /// Starts a program; standard output and standard error are read alike.
    ///
    /// - Parameter takesInput: whether lines are going to be sent to it.
    init(_ path: String, _ arguments: [String], takesInput: Bool = false) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      let inlet = Pipe()
      process.standardInput = takesInput ? inlet : FileHandle.nullDevice
      try process.run()
      pid = process.processIdentifier
      self.process = Mutex(process)
      if takesInput { input.withLock { $0 = inlet.fileHandleForWriting } }
      let handle = pipe.fileHandleForReading
      Thread.detachNewThread { [weak self] in
        while true {
          let data = handle.availableData
          guard let self else { return }
          take(String(decoding: data, as: UTF8.self), isEnd: data.isEmpty)
          if data.isEmpty { return }
        }
      }
    }

    deinit {
      signal(SIGKILL)
      process.withLock { $0.waitUntilExit() }
    }

    private func take(_ text: String, isEnd: Bool) {
      let waiters = state.withLock { state in
        state.rest += text
        var parts = state.rest.split(separator: "\n", omittingEmptySubsequences: false)
        state.rest = String(parts.removeLast())
        state.lines += parts.map(String.init)
        if isEnd { state.hasEnded = true }
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }

    /// The lines so far.
    var lines: [String] { state.withLock { $0.lines } }

    /// Waits for a line that fits; `nil` if the process ended without one.
    func line(where fits: @Sendable (String) -> Bool) async -> String? {
      while true {
        // How many lines were looked at is noted with the look: one that comes meanwhile is looked at next.
        let (found, hasEnded, count) = state.withLock {
          ($0.lines.first(where: fits), $0.hasEnded, $0.lines.count)
        }
        if found != nil || hasEnded { return found }
        await withCheckedContinuation { continuation in
          let isNews = state.withLock { state in
            if state.lines.count == count, !state.hasEnded {
              state.waiters.append(continuation)
              return false
            }
            return true
          }
          if isNews { continuation.resume() }
        }
      }
    }

    /// Waits for a line that begins so.
    func line(_ prefix: String) async -> String? { await line { $0.hasPrefix(prefix) } }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(pid, number) }

    /// Sends a line to its standard input.
    func send(_ line: String) { input.withLock { $0?.write(Data((line + "\n").utf8)) } }

    /// Closes its standard input, waits for its end, and returns its status.
    func status() async -> Int32 {
      input.withLock { handle in
        try? handle?.close()
        handle = nil
      }
      _ = await line { _ in false }
      return process.withLock { process in
        process.waitUntilExit()
        return process.terminationStatus
      }
    }

    /// Stops its time. Returns when every thread of it stands still; until then it may answer.
    func pause() {
      signal(SIGSTOP)
      var information = unsafe siginfo_t()
      // Its end is waited for elsewhere: nothing is taken from that here.
      let options = WSTOPPED | WNOWAIT
      // SAFETY: the address is valid within the call.
      while unsafe waitid(P_PID, id_t(pid), &information, options) != 0, errno == EINTR {}
    }

    /// Kills it, also one that stands still, and waits until it is gone.
    func end() {
      signal(SIGKILL)
      process.withLock { $0.waitUntilExit() }
    }

    /// The numbers that a listening peer has said it heard.
    var heard: [Int] { lines.compactMap { $0.hasPrefix("heard ") ? Int($0.dropFirst(6)) : nil } }

    /// Where a built program lies.
    static func program(_ name: String) -> String {
      let own = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
      var folder = own.resolvingSymlinksInPath().deletingLastPathComponent()
      for _ in 0..<5 {
        let program = folder.appendingPathComponent(name)
        if FileManager.default.isExecutableFile(atPath: program.path) { return program.path }
        folder.deleteLastPathComponent()
      }
      return "/nowhere/\(name)"
    }
  }
#endif
