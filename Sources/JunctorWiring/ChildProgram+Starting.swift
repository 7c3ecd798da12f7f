#if os(macOS) || os(Linux) || os(FreeBSD)
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  extension ChildProgram {
    /// Why a program was not started.
    struct StartFailure: Error {
      /// What the system said.
      let words: String
    }

    /// Starts the program with three descriptors as its standard ones.
    func start(input: Int32, output: Int32, complaint: Int32) -> Result<pid_t, StartFailure> {
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
      #else
        var actions = unsafe posix_spawn_file_actions_t()
      #endif
      // SAFETY: the actions are initialised here, used by this function alone, and destroyed before it returns.
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
      unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
      unsafe posix_spawn_file_actions_adddup2(&actions, complaint, 2)

      // SAFETY: every string and the list of them live until `posix_spawn` has returned, which has copied them by then.
      var words = unsafe ([path] + arguments).map { unsafe strdup($0) }
      unsafe words.append(nil)
      defer { unsafe words.forEach { unsafe free($0) } }
      var child: pid_t = 0
      let code = unsafe posix_spawn(&child, path, &actions, nil, words, environ)
      guard code == 0 else { return .failure(StartFailure(words: SystemMessage.text(code))) }
      return .success(child)
    }

    /// Waits until the program has ended and tells how: its status, or 128 and the signal that ended it.
    func wait(for child: pid_t) -> Int32 {
      var status: Int32 = 0
      while unsafe waitpid(child, &status, 0) < 0 {
        // Where the process ignores its children's end, their status is lost; the output tells then.
        guard errno == EINTR else { return 0 }
      }
      let signal = status & 0x7F
      return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
  }
#endif
