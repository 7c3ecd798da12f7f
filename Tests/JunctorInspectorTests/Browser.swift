#if Inspector
  import Foundation

  /// A headless Chromium, driven through the pipe of its debugging protocol.
  ///
  /// ## Concurrency
  /// For one test at a time; every call waits for its answer.
  final class Browser {
    struct Failure: Error {
      let words: String
    }

    private let process = Process()
    private let folder: String
    private let input: FileHandle
    private let output: FileHandle
    private var rest = Data()
    private var number = 0
    private var session: String?

    /// The program, if it is installed.
    static let program: String? = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap
    {
      name in
      ["/usr/bin/", "/usr/local/bin/", "/snap/bin/"].lazy.map { $0 + name }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    }.first

    init(program: String) throws {
      folder = FileManager.default.temporaryDirectory.path + "/junctor-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for name in ["in", "out"] {
        // SAFETY: the string lives through the call.
        guard unsafe mkfifo("\(folder)/\(name)", 0o600) == 0 else { throw Failure(words: "mkfifo") }
      }
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = [
        "-c",
        """
        exec "\(program)" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --user-data-dir="\(folder)/profile" --window-size=1400,900 --remote-debugging-pipe \
        3<"\(folder)/in" 4>"\(folder)/out" >/dev/null 2>&1 about:blank
        """,
      ]
      try process.run()
      input = try Self.handle(forWritingTo: "\(folder)/in")
      output = try Self.handle(forReadingFrom: "\(folder)/out")
    }

    deinit {
      process.terminate()
      process.waitUntilExit()
      try? FileManager.default.removeItem(atPath: folder)
    }

    private static func handle(forWritingTo path: String) throws -> FileHandle {
      guard let handle = FileHandle(forWritingAtPath: path) else { throw Failure(words: path) }
      return handle
    }

    private static func handle(forReadingFrom path: String) throws -> FileHandle {
      guard let handle = FileHandle(forReadingAtPath: path) else { throw Failure(words: path) }
      return handle
    }

    /// Opens a page, in the window that later calls go to.
    func open(_ url: String) throws {
      let target = try send("Target.createTarget", ["url": "about:blank"])
      let attached = try send(
        "Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true])
      session = attached["sessionId"] as? String
      _ = try send("Page.enable")
      _ = try send("Page.navigate", ["url": url])
      while try receive()["method"] as? String != "Page.loadEventFired" {}
    }

    /// What an expression is in the page; a promise is waited for.
    func value(_ expression: String) throws -> Any? {
      let answer = try send(
        "Runtime.evaluate",
        ["expression": expression, "awaitPromise": true, "returnByValue": true])
      if let exception = answer["exceptionDetails"] { throw Failure(words: "\(exception)") }
      return (answer["result"] as? [String: Any])?["value"]
    }

    /// Waits until an expression is true in the page, for 20 seconds at most.
    func waits(for condition: String) throws -> Bool {
      try value(
        """
        new Promise((done) => { const end = Date.now() + 20000; const look = () => {
          let now = false; try { now = !!(\(condition)); } catch (error) {}
          now ? done(true) : Date.now() > end ? done(false) : setTimeout(look, 20); }; look(); })
        """) as? Bool ?? false
    }

    /// Presses a key.
    func press(_ key: String, text: String? = nil) throws {
      var values: [String: Any] = ["type": "keyDown", "key": key, "code": key]
      if let text { values["text"] = text }
      _ = try send("Input.dispatchKeyEvent", values)
      _ = try send("Input.dispatchKeyEvent", ["type": "keyUp", "key": key, "code": key])
    }

    /// Shows the page in light or dark colours.
    func setDark(_ isDark: Bool) throws {
      let feature = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
      _ = try send("Emulation.setEmulatedMedia", ["features": [feature]])
    }

    /// The page as a PNG.
    func screenshot() throws -> Data {
      let answer = try send("Page.captureScreenshot", ["format": "png"])
      return Data(base64Encoded: answer["data"] as? String ?? "") ?? Data()
    }

    private func send(_ method: String, _ values: [String: Any] = [:]) throws -> [String: Any] {
      number += 1
      var message: [String: Any] = ["id": number, "method": method, "params": values]
      if let session { message["sessionId"] = session }
      try input.write(contentsOf: try JSONSerialization.data(withJSONObject: message) + [0])
      while true {
        let answer = try receive()
        guard answer["id"] as? Int == number else { continue }
        if let error = answer["error"] { throw Failure(words: "\(method): \(error)") }
        return answer["result"] as? [String: Any] ?? [:]
      }
    }

    private func receive() throws -> [String: Any] {
      try JSONSerialization.jsonObject(with: try next()) as? [String: Any] ?? [:]
    }

    private func next() throws -> Data {
      while true {
        if let end = rest.firstIndex(of: 0) {
          defer { rest = Data(rest[(end + 1)...]) }
          return Data(rest[..<end])
        }
        let part = output.availableData
        guard !part.isEmpty else { throw Failure(words: "the browser ended") }
        rest += part
      }
    }
  }
#endif
