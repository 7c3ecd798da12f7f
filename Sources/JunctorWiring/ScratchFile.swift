#if os(macOS) || os(Linux) || os(FreeBSD)
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// A file without a name, gone when it is closed.
  struct ScratchFile: ~Copyable {
    /// The file's descriptor.
    let descriptor: Int32

    /// Makes one in the folder for temporary files; `nil` where that can't be.
    init?() {
      // SAFETY: the environment's bytes are copied at once.
      let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
      var template = Array("\(folder)/junctor-XXXXXX".utf8CString)
      // SAFETY: the template is a writable, terminated string of this function's own.
      descriptor = unsafe mkstemp(&template)
      guard descriptor >= 0 else { return nil }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      unsafe unlink(template)
    }

    deinit { close(descriptor) }

    /// Writes everything and goes back to the start.
    func fill(_ bytes: [UInt8]) -> Bool {
      guard Descriptor.write(bytes, to: descriptor) else { return false }
      return lseek(descriptor, 0, SEEK_SET) == 0
    }

    /// Everything in it.
    func contents() -> [UInt8] {
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { return [] }
      return Descriptor.readAll(descriptor) ?? []
    }
  }

  /// A pipe that another program writes to.
  struct Pipe: ~Copyable {
    private let reading: Int32
    /// The end that the other program writes to.
    private(set) var writing: Int32

    /// Makes one that other programs do not inherit; `nil` where no descriptors are left.
    init?() {
      var ends: [Int32] = [0, 0]
      // SAFETY: the array has room for the two descriptors.
      guard unsafe pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      reading = ends[0]
      writing = ends[1]
    }

    deinit {
      close(reading)
      if writing >= 0 { close(writing) }
    }

    /// Closes this side's end for writing, so that the other side's end is the last.
    mutating func closeWriting() {
      close(writing)
      writing = -1
    }

    /// Reads until the other side has closed; `nil` if it has not by the deadline.
    func read(until deadline: ContinuousClock.Instant) -> [UInt8]? {
      var output: [UInt8] = []
      while true {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return nil }
        let milliseconds = Int32(clamping: max(1, left.nanoseconds / 1_000_000))
        var request = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        // SAFETY: one request is passed, and its address is not kept.
        let ready = unsafe poll(&request, 1, milliseconds)
        guard ready > 0 else { continue }
        guard let part = Descriptor.readSome(reading) else { continue }
        if part.isEmpty { return output }
        output += part
      }
    }
  }
#endif
