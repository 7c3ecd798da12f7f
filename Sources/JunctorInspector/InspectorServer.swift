#if Inspector
  internal import CJunctorInspector

  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// The server that pages talk to. It calls nobody; `InspectorPump` feeds it.
  ///
  /// ## Concurrency
  /// May be used from any thread until `stop`, which must be called once, with no other call under way or to come.
  struct InspectorServer: Sendable {
    private let address: UInt
    /// What every request must name.
    let token: String
    /// The port that it listens on.
    let port: UInt16

    /// Listens on a port.
    init(port: UInt16, isOpen: Bool) throws(InspectorError) {
      token = Self.random()
      let nonce = Self.random()
      let page = InspectorPage.html(nonce: nonce)
      var code: Int32 = 0
      // SAFETY: every string lives through the call, which copies what it keeps.
      let server = unsafe junctor_server_start(
        isOpen, port, token, page, page.utf8.count, InspectorPage.policy(nonce: nonce), &code)
      guard let server = unsafe server else { throw Self.failure(code, port) }
      address = UInt(bitPattern: server)
      self.port = unsafe junctor_server_port(server)
    }

    /// What clients want now.
    func demand() -> junctor_demand {
      // SAFETY: the address is that of a server that was not stopped; see the type.
      guard let server = unsafe OpaquePointer(bitPattern: address) else { return junctor_demand() }
      return unsafe junctor_server_demand(server)
    }

    /// Replaces a document.
    func publish(_ document: Int, _ text: String) {
      guard let server = unsafe OpaquePointer(bitPattern: address) else { return }
      // SAFETY: as in `demand`; the bytes are copied within the call.
      unsafe Array(text.utf8).withUnsafeBufferPointer { bytes in
        unsafe junctor_server_publish(server, Int32(document), bytes.baseAddress, bytes.count)
      }
    }

    /// Lets the documents pass for fresh once more, those that there are.
    func freshen() {
      guard let server = unsafe OpaquePointer(bitPattern: address) else { return }
      // SAFETY: as in `demand`.
      unsafe junctor_server_freshen(server)
    }

    /// Appends a message to the stream of events.
    func append(event: String, _ data: String) {
      guard let server = unsafe OpaquePointer(bitPattern: address) else { return }
      // SAFETY: as in `demand`; the bytes are copied within the call.
      unsafe Array("event: \(event)\ndata: \(data)\n\n".utf8).withUnsafeBufferPointer { bytes in
        unsafe junctor_server_append(server, bytes.baseAddress, bytes.count)
      }
    }

    /// Lets those go on who wait for something new.
    func tick() {
      guard let server = unsafe OpaquePointer(bitPattern: address) else { return }
      // SAFETY: as in `demand`.
      unsafe junctor_server_tick(server)
    }

    /// Closes everything.
    func stop() {
      guard let server = unsafe OpaquePointer(bitPattern: address) else { return }
      // SAFETY: as in `demand`; this is the last call.
      unsafe junctor_server_stop(server)
    }

    /// 128 bits from the system's generator, in hexadecimal digits.
    private static func random() -> String {
      (0..<4).map { _ in
        let digits = String(UInt32.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
      }.joined()
    }

    private static func failure(_ code: Int32, _ port: UInt16) -> InspectorError {
      switch code {
      case EADDRINUSE:
        InspectorError(
          .portTaken,
          "Can't start the inspector on port '\(port)': another program listens there. Use another port, or 0 for any that is free."
        )
      case EACCES, EPERM:
        InspectorError(
          .portForbidden,
          "Can't start the inspector on port '\(port)': the system forbids it. Use a port above 1023."
        )
      default:
        InspectorError(
          .notStarted,
          "Can't start the inspector on port '\(port)': the system reports error \(code). Close files or connections, and try again."
        )
      }
    }
  }
#endif
