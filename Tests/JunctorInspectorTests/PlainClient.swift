#if Inspector
  import Foundation

  @testable import JunctorInspector

  /// A client that is as plain as can be, and may misbehave: it sends any bytes and reads when it is told to.
  final class PlainClient: Sendable {
    private let descriptor: Int32

    init?(port: UInt16, address: String = "127.0.0.1") {
      #if canImport(Glibc) || canImport(Musl)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      var target = sockaddr_in()
      target.sin_family = sa_family_t(AF_INET)
      target.sin_port = port.bigEndian
      // SAFETY: the string lives through the call.
      target.sin_addr.s_addr = unsafe inet_addr(address)
      var limit = timeval(tv_sec: 20, tv_usec: 0)
      // SAFETY: the records are of this function's own, and their sizes are given.
      unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = unsafe withUnsafePointer(to: &target) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(descriptor, $0, size)
        }
      }
      guard result == 0 else {
        close(descriptor)
        return nil
      }
    }

    deinit { close(descriptor) }

    /// Sends bytes; whoever closed already is no concern.
    func send(_ text: String) {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        // SAFETY: the bytes are used within the call only.
        let count = unsafe rest.withUnsafeBytes { bytes in
          unsafe Foundation.send(
            descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL.magnitude))
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }

    /// Reads once; empty at the end or after 20 seconds.
    func read() -> String {
      // SAFETY: at most as many bytes are read as there is room for, and so many are declared to be there.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
        filled = unsafe max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads until a text came, or the end, or for half a minute.
    func read(until text: String, ticking server: InspectorServer? = nil) -> String {
      var all = ""
      let deadline = ContinuousClock.now + .seconds(30)
      while !all.contains(text), ContinuousClock.now < deadline {
        let part = read()
        if part.isEmpty { break }
        all += part
        server?.tick()
      }
      return all
    }

    /// Sends a request and reads the whole answer.
    static func answer(_ port: UInt16, _ request: String) -> String {
      guard let client = PlainClient(port: port) else { return "" }
      client.send(request)
      return client.read(until: "\u{0}")
    }

    /// Asks for a path.
    static func get(_ port: UInt16, _ path: String) -> String {
      answer(port, "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    }
  }
#endif
