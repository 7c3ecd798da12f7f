import Foundation
import Synchronization

/// A server that answers each connection with what it is told to, for as long as it lives.
final class AnsweringServer: Sendable {
  /// The port that it listens on.
  let port: UInt16
  private let descriptor: Int32
  private let requested = Mutex<[String]>([])

  /// What it was asked.
  var requests: [String] { requested.withLock { $0 } }

  /// Listens.
  ///
  /// - Parameter answer: gets the path and says what to answer; `nil` to say nothing and keep the connection open.
  init(_ answer: @escaping @Sendable (String) -> String?) throws {
    #if canImport(Glibc) || canImport(Musl)
      let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let made = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    descriptor = made
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    // SAFETY: the string lives through the call; the records are of this function's own, and their sizes are given.
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(made, $0, size) == 0 && listen(made, 16) == 0
          && getsockname(made, $0, &size) == 0
      }
    }
    guard isBound else { throw CocoaError(.fileNoSuchFile) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(made, nil, nil)
        guard client >= 0 else { return }
        var request = ""
        while !request.contains("\r\n\r\n") {
          // SAFETY: at most as many bytes are read as there is room for.
          let part = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, filled in
            filled = unsafe max(0, recv(client, buffer.baseAddress, buffer.count, 0))
          }
          if part.isEmpty { break }
          request += String(decoding: part, as: UTF8.self)
        }
        let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        self?.requested.withLock { $0.append(path) }
        guard let text = answer(path) else { continue }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          // SAFETY: the bytes are used within the call only.
          let count = unsafe rest.withUnsafeBytes { bytes in
            unsafe send(client, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
          }
          guard count > 0 else { break }
          rest = rest.dropFirst(count)
        }
        close(client)
      }
    }
  }

  deinit { stop() }

  /// Listens no longer.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The URL of a page of an inspector's.
  var url: String { "http://127.0.0.1:\(port)/?token=secret" }

  /// An answer with a body, whose length is announced.
  static func answer(_ body: String, status: String = "200 OK", length: Int? = nil) -> String {
    "HTTP/1.0 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)"
  }
}
