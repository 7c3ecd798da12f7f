/// Where an inspector is: the parts of the URL that the program printed.
struct WatchAddress: Sendable, Equatable {
  /// The host's name or number.
  let host: String
  /// The port, as a number.
  let port: UInt16
  /// What every request must name.
  let token: String

  /// Host and port, as messages show them; never the token.
  var shown: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Reads a URL such as `http://127.0.0.1:8642/?token=0f3a`.
  ///
  /// - Parameter url: the URL.
  /// - Throws: `UsageError` with what is wrong with it.
  /// - Complexity: O(length).
  init(_ url: String) throws(UsageError) {
    func misfit(_ cause: String) -> UsageError {
      UsageError(.watch, "\(cause); give the URL that the program printed")
    }
    // A line break or a blank would end up in the request.
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), url.hasPrefix("http://") else {
      throw misfit("the URL does not begin with 'http://'")
    }
    let rest = url.dropFirst("http://".count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let query = rest.dropFirst(authority.count).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard query.first.map({ $0.isEmpty || $0 == "/" }) ?? true else {
      throw misfit("the URL leads to another page than an inspector's")
    }
    let pairs = (query.count > 1 ? query[1] : "").split(separator: "&")
    let tokens = pairs.filter { $0.hasPrefix("token=") }.map { $0.dropFirst("token=".count) }
    guard let token = tokens.first, !token.isEmpty else { throw misfit("the URL has no token") }
    guard let (host, port) = Self.split(authority) else {
      throw misfit("the URL has no host and port")
    }
    self.host = host
    self.port = port
    self.token = String(token.prefix { $0 != "#" })
  }

  private static func split(_ authority: Substring) -> (host: String, port: UInt16)? {
    let host: Substring
    let rest: Substring
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      host = authority[authority.index(after: authority.startIndex)..<end]
      rest = authority[authority.index(after: end)...]
    } else {
      host = authority.prefix { $0 != ":" }
      rest = authority[host.endIndex...]
    }
    guard !host.isEmpty, !host.contains("@") else { return nil }
    if rest.isEmpty { return (String(host), 80) }
    guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
    return (String(host), port)
  }
}
