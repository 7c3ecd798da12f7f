#if NATS
  import Foundation
  import JunctorChannels
  import JunctorNATS
  import JunctorTesting
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct NATSEncryptionTests {
    /// Certificates made for the test: an authority, a server's certificate, and one that has expired.
    private struct Certificates {
      let folder: URL
      var authority: String { folder.appendingPathComponent("ca.pem").path }

      init(in folder: URL) throws {
        self.folder = folder
        let script = """
          set -e; cd "$0"
          printf '%s\\n' '[ca]' 'default_ca=d' '[d]' 'dir=.' 'database=index.txt' 'new_certs_dir=.' \
            'serial=serial' 'default_md=sha256' 'policy=p' 'unique_subject=no' 'copy_extensions=none' \
            '[p]' 'commonName=supplied' '[x]' 'subjectAltName=IP:127.0.0.1,DNS:localhost' >ca.conf
          : >index.txt; echo 01 >serial
          openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=Junctor
          for name in good old; do
            openssl req -newkey rsa:2048 -nodes -keyout $name.key -out $name.csr -subj /CN=localhost
          done
          openssl ca -batch -config ca.conf -extensions x -cert ca.pem -keyfile ca.key -in good.csr \
            -out good.pem -days 2 -notext
          openssl ca -batch -config ca.conf -extensions x -cert ca.pem -keyfile ca.key -in old.csr \
            -out old.pem -startdate 20200101000000Z -enddate 20200102000000Z -notext
          """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, folder.path]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl made no certificates")
      }

      func server(_ name: String) -> [String] {
        [
          "--tls", "--tlscert", folder.appendingPathComponent("\(name).pem").path, "--tlskey",
          folder.appendingPathComponent("\(name).key").path,
        ]
      }
    }

    @Test
    func `B7 a connection is encrypted where the authority is trusted, and refused where not`()
      async throws
    {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("junctor-tls-\(UInt64.random(in: .min ... .max))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let certificates = try Certificates(in: folder)
      let good = try await TestServer(keeps: false, certificates.server("good"))
      let old = try await TestServer(keeps: false, certificates.server("old"))
      func encryption(_ authority: String?) -> (inout NATSOptions) -> Void {
        { options in
          options.encryption = NATSOptions.Encryption()
          options.encryption?.authorities = authority
        }
      }
      let (node, other) = (
        good.node(encryption(certificates.authority)), good.node(encryption(certificates.authority))
      )
      let recorder = ChannelRecorder(other.orders)
      let bridges = [try node.bridge(), try other.bridge()]
      for bridge in bridges { try await bridge.ready() }
      node.orders.post(Order(number: 1))
      #expect(await recorder.wait(for: 1) == [Order(number: 1)])
      for bridge in bridges { await bridge.close() }
      for (server, change, reason) in [
        (good, encryption(nil), "an unknown authority"),
        (old, encryption(certificates.authority), "an expired certificate"),
      ] {
        let nats = server.connect(change)
        do {
          try await nats.connected()
          Issue.record("it was connected, for all of \(reason)")
        } catch {
          #expect((error as? BridgeError)?.code == .insecure, "\(reason): \(error)")
        }
      }
      let plain = good.connect()
      do {
        try await plain.connected()
        Issue.record("it was connected without encryption")
      } catch {
        #expect((error as? BridgeError)?.code == .insecure, "\(error)")
      }
    }
  }
#endif
