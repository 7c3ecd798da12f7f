#if NATS
  internal import CJunctorNATS
  internal import Dispatch
  internal import JunctorBridge

  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// A connection of the C client.
  ///
  /// ## Concurrency
  /// May be used from any thread; calls may take as long as the network does. Closes and frees the client's connection with
  /// its last reference, elsewhere.
  final class NATSClient: Sendable {
    private let address: UInt

    /// Connects, or says why not.
    init(_ urls: [String], _ options: NATSOptions, number: UInt) throws(BridgeError) {
      NATSRegistry.handlers
      var failure: Int32 = 0
      var text = [CChar](repeating: 0, count: 512)
      let user: (String, String) =
        if case .user(let name, let password) = options.credentials.kind { (name, password) } else {
          ("", "")
        }
      let token = if case .token(let token) = options.credentials.kind { token } else { "" }
      let file = if case .file(let path) = options.credentials.kind { path } else { "" }
      let encryption = options.encryption
      let words = [
        urls.joined(separator: ","), options.name, user.0, user.1, token, file,
        encryption?.authorities ?? "", encryption?.certificate ?? "", encryption?.key ?? "",
        encryption?.hostname ?? "",
      ]
      // SAFETY: the copies live until they are freed below; the client copies what it keeps.
      let copies = unsafe words.map { unsafe strdup($0) }
      defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
      var list = unsafe junctor_nats_options()
      unsafe list.urls = UnsafePointer(copies[0])
      unsafe list.name = UnsafePointer(copies[1])
      unsafe list.user = UnsafePointer(copies[2])
      unsafe list.password = UnsafePointer(copies[3])
      unsafe list.token = UnsafePointer(copies[4])
      unsafe list.credentials = UnsafePointer(copies[5])
      unsafe list.authority = UnsafePointer(copies[6])
      unsafe list.certificate = UnsafePointer(copies[7])
      unsafe list.key = UnsafePointer(copies[8])
      unsafe list.hostname = UnsafePointer(copies[9])
      unsafe list.secure = encryption != nil
      unsafe list.reconnect_wait = options.reconnectWait.milliseconds
      unsafe list.ping_interval = options.pingInterval.milliseconds
      unsafe list.connect_timeout = options.connectTimeout.milliseconds
      let connection = unsafe junctor_nats_connect(&list, number, &failure, &text, text.count)
      guard let connection = unsafe connection else {
        let words = String(
          decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        throw NATSFailure.error(failure, words, NATSConnection.label(urls))
      }
      address = UInt(bitPattern: connection)
    }

    deinit {
      let address = address
      // Closing waits for threads of the client's, of which this may be one.
      DispatchQueue.global().async {
        // SAFETY: nobody refers to the connection any longer; it is closed and freed here, once.
        guard let connection = unsafe OpaquePointer(bitPattern: address) else { return }
        unsafe junctor_nats_close(connection)
        unsafe junctor_nats_destroy(connection)
      }
    }

    // SAFETY (all below): the address is that of a connection that is freed in `deinit` only.
    private var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

    /// Whether it is connected now.
    var isConnected: Bool {
      guard let pointer = unsafe pointer else { return false }
      return unsafe junctor_nats_is_connected(pointer)
    }

    /// The largest payload that the server accepts; 0 if unknown.
    var largest: Int64 {
      guard let pointer = unsafe pointer else { return 0 }
      return unsafe junctor_nats_largest(pointer)
    }

    /// How many times it was connected again; `nil` if unknown.
    var reconnections: Int64? {
      guard let pointer = unsafe pointer else { return nil }
      let count = unsafe junctor_nats_reconnections(pointer)
      return count < 0 ? nil : count
    }

    /// Sends a message.
    func publish(_ frame: BridgeFrame, reply: String? = nil) -> Int32 {
      guard let pointer = unsafe pointer else { return NATSFailure.gone }
      var headers: [UInt8] = []
      var count: Int32 = 0
      for (name, value) in frame.headers {
        headers.append(contentsOf: name.utf8)
        headers.append(0)
        headers.append(contentsOf: value.utf8)
        headers.append(0)
        count += 1
      }
      if let id = frame.messageID {
        headers.append(contentsOf: "Nats-Msg-Id".utf8)
        headers.append(0)
        headers.append(contentsOf: id.utf8)
        headers.append(0)
        count += 1
      }
      // SAFETY: everything is valid within the call, which copies it.
      return unsafe junctor_nats_publish(
        pointer, frame.subject, reply, headers, count, frame.payload, frame.payload.count)
    }

    /// Waits until the server has had everything, for so many milliseconds at most. What was lost with an earlier connection
    /// it has not had.
    func flush(_ timeout: Int64) -> Int32 {
      guard let pointer = unsafe pointer else { return NATSFailure.gone }
      return unsafe junctor_nats_flush(pointer, timeout)
    }

    /// Sends a request and waits for the reply.
    func request(_ subject: String, _ text: String, timeout: Int64) -> (code: Int32, reply: [UInt8])
    {
      guard let pointer = unsafe pointer else { return (NATSFailure.gone, []) }
      var reply: UnsafeMutablePointer<CChar>?
      var length = 0
      // SAFETY: the reply is allocated by the call, copied and freed here.
      let code = unsafe junctor_nats_request(pointer, subject, text, timeout, &reply, &length)
      guard let start = unsafe reply else { return (code, []) }
      defer { unsafe free(start) }
      return unsafe (code, [UInt8](UnsafeRawBufferPointer(start: start, count: length)))
    }

    /// Subscribes.
    func subscribe(
      _ subject: String, group: String?, limit: Int, number: UInt
    ) -> Result<NATSSubscription, BridgeError> {
      guard let pointer = unsafe pointer else { return .failure(NATSFailure.closed(subject)) }
      var failure: Int32 = 0
      let route = unsafe junctor_nats_subscribe(
        pointer, subject, group, Int32(clamping: limit), number, &failure)
      guard let route = unsafe route else {
        return .failure(NATSFailure.error(failure, "the subscription was refused", subject))
      }
      return unsafe .success(NATSSubscription(route))
    }

    /// Closes it; nothing more comes or goes.
    func close() {
      guard let pointer = unsafe pointer else { return }
      unsafe junctor_nats_close(pointer)
    }
  }
#endif
