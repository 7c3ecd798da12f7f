#if NATS
  import Foundation
  import Testing

  @testable import JunctorNATS

  /// Three NATS servers that know each other, on free ports of the loopback interface.
  final class TestCluster: Sendable {
    /// The servers by their names.
    let servers: [String: TestServer]

    /// Starts all three.
    init() async throws {
      let names = ["a", "b", "c"]
      let ports = try names.map { _ in try Self.freePort() }
      let routes = ports.map { "nats://127.0.0.1:\($0)" }
      let name = "junctor-\(UInt64.random(in: .min ... .max))"
      var servers: [String: TestServer] = [:]
      for (index, own) in names.enumerated() {
        servers[own] = try await TestServer([
          "--name", own, "--cluster_name", name, "--cluster", routes[index], "--routes",
          routes.joined(separator: ","),
        ])
      }
      self.servers = servers
    }

    /// A port at which nobody listens, of those that are not given to whoever connects to somebody.
    private static func freePort() throws -> Int {
      for _ in 0..<100 {
        let port = Int.random(in: 10_000..<32_768)
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(probe) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        // SAFETY: the record is of this function's own, and its size is given.
        let isFree = unsafe withUnsafePointer(to: &address) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe bind(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
          }
        }
        if isFree { return port }
      }
      throw CocoaError(.fileWriteUnknown)
    }

    /// A process that knows all three and has its messages kept by all three.
    func node() -> NATSNode {
      var options = NATSOptions()
      options.reconnectWait = .milliseconds(50)
      options.confirmTimeout = .seconds(2)
      options.storage.replicas = 3
      let urls = servers.keys.sorted().compactMap { servers[$0]?.url }
      return NATSNode(nats: NATSConnection(urls[0], urls[1], urls[2], options: options))
    }

    /// Which server leads the others in keeping a subject.
    func leader(of subject: String, _ nats: NATSConnection) async throws -> String? {
      let frame = BridgeFrame(
        subject: "$JS.API.STREAM.INFO.\(JetStreamNames.stream(for: subject))")
      let reply = await withCheckedContinuation { continuation in
        nats.request(frame, timeout: .seconds(5)) { continuation.resume(returning: $0) }
      }
      let object = try JSONSerialization.jsonObject(with: Data(try reply.get().payload))
      let cluster = (object as? [String: Any])?["cluster"] as? [String: Any]
      return cluster?["leader"] as? String
    }
  }
#endif
