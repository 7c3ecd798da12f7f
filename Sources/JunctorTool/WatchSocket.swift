internal import JunctorWiring

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// One connection to an inspector, never waited for beyond a deadline.
struct WatchSocket: ~Copyable {
  /// What may end a wait.
  enum Wake: Equatable {
    /// The connection is ready.
    case ready
    /// Somebody wants to stop: a signal, a key.
    case interrupted
    /// The deadline is over.
    case timedOut
  }

  /// The connection.
  let descriptor: Int32
  private let address: WatchAddress
  private let interrupt: Int32

  /// Connects.
  ///
  /// - Parameters:
  ///   - address: where to.
  ///   - deadline: until when.
  ///   - interrupt: a descriptor that becomes readable when the wait is to end; -1 for none.
  /// - Throws: `WatchError`, or `CancellationError` if it was interrupted.
  init(
    to address: WatchAddress, until deadline: ContinuousClock.Instant, interrupt: Int32
  ) throws {
    self.address = address
    self.interrupt = interrupt
    descriptor = try Self.connect(address, deadline, interrupt)
  }

  deinit { close(descriptor) }

  private static func connect(
    _ address: WatchAddress, _ deadline: ContinuousClock.Instant, _ interrupt: Int32
  ) throws -> Int32 {
    // SAFETY: the record is of this function's own; its pointers are null and stay so.
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    #if canImport(Glibc) || canImport(Musl)
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    // SAFETY: the strings and the hints live through the call; the list is freed below, when nothing of it is used.
    guard unsafe getaddrinfo(address.host, "\(address.port)", &hints, &list) == 0 else {
      throw WatchError.unknownHost(address)
    }
    defer { unsafe freeaddrinfo(list) }
    var cause = "there is no such host"
    var next = unsafe list
    while let entry = unsafe next {
      unsafe next = entry.pointee.ai_next
      let made = unsafe socket(
        entry.pointee.ai_family, entry.pointee.ai_socktype, entry.pointee.ai_protocol)
      guard made >= 0 else { continue }
      _ = fcntl(made, F_SETFD, FD_CLOEXEC)
      _ = fcntl(made, F_SETFL, O_NONBLOCK)
      #if canImport(Darwin)
        var on: Int32 = 1
        // SAFETY: the number is of this function's own, and its size is given.
        unsafe setsockopt(made, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
      #endif
      var code: Int32 = 0
      if unsafe systemConnect(made, entry.pointee.ai_addr, entry.pointee.ai_addrlen) != 0 {
        code = errno
      }
      if code == EINPROGRESS {
        let wake = wait(made, Int16(POLLOUT), deadline, interrupt)
        guard wake == .ready else {
          close(made)
          if wake == .interrupted { throw CancellationError() }
          throw WatchError.silent(address)
        }
        var size = socklen_t(MemoryLayout<Int32>.size)
        // SAFETY: the number is of this function's own, and its size is given.
        unsafe getsockopt(made, SOL_SOCKET, SO_ERROR, &code, &size)
      }
      if code == 0 { return made }
      close(made)
      cause = code == ECONNREFUSED ? "nothing listens there" : SystemMessage.text(code)
    }
    throw WatchError.unreachable(address, cause)
  }

  /// Sends all of a text.
  func send(_ text: String, until deadline: ContinuousClock.Instant) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // SAFETY: the bytes are used within the call only.
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe systemSend(descriptor, bytes.baseAddress, bytes.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN || errno == EINTR {
        try waitOrThrow(Int16(POLLOUT), deadline)
      } else {
        throw WatchError.ended(address)
      }
    }
  }

  /// Reads what is there, waiting for the first byte; empty at the end.
  func read(until deadline: ContinuousClock.Instant) throws -> [UInt8] {
    while true {
      if let part = readIfReady() { return part }
      guard errno == EAGAIN || errno == EINTR else { return [] }
      try waitOrThrow(Int16(POLLIN), deadline)
    }
  }

  /// Reads what is there now; empty at the end, `nil` if nothing is there yet or the system refuses.
  func readIfReady() -> [UInt8]? {
    var failed = false
    let part = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
      // SAFETY: at most as many bytes are read as there is room for, and so many are declared to be there.
      let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
      failed = count < 0
      filled = max(0, count)
    }
    return failed ? nil : part
  }

  private func waitOrThrow(_ events: Int16, _ deadline: ContinuousClock.Instant) throws {
    switch Self.wait(descriptor, events, deadline, interrupt) {
    case .ready: return
    case .interrupted: throw CancellationError()
    case .timedOut: throw WatchError.silent(address)
    }
  }

  private static func wait(
    _ descriptor: Int32, _ events: Int16, _ deadline: ContinuousClock.Instant, _ interrupt: Int32
  ) -> Wake {
    let ready = Poll.wait(
      for: [(interrupt, Int16(POLLIN)), (descriptor, events)], until: deadline)
    if ready.first ?? false { return .interrupted }
    return ready.last ?? false ? .ready : .timedOut
  }
}

/// Waits for several descriptors at once.
enum Poll {
  /// Says which of the descriptors are ready, as soon as one is; none when the deadline is over. Negative ones never are.
  static func wait(
    for descriptors: [(descriptor: Int32, events: Int16)], until deadline: ContinuousClock.Instant
  ) -> [Bool] {
    var requests = descriptors.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    while true {
      let left = ContinuousClock.now.duration(to: deadline).components
      let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
      // SAFETY: the array is this function's own, and its length is given.
      let count = unsafe poll(
        &requests, nfds_t(requests.count), Int32(clamping: max(0, milliseconds + 1)))
      if count > 0 { return requests.map { $0.revents != 0 } }
      if count == 0, milliseconds <= 0 || ContinuousClock.now >= deadline {
        return descriptors.map { _ in false }
      }
    }
  }
}

private func systemConnect(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: socklen_t
) -> Int32 {
  unsafe connect(descriptor, address, length)
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
    unsafe send(descriptor, bytes, count, 0)
  #else
    unsafe send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
  #endif
}
