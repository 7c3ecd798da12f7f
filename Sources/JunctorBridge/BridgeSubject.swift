package import JunctorChannels
internal import JunctorCore

/// How channels are called on the wire: a prefix, a dot, and the channel's name.
///
/// ## Concurrency
/// A value; may be used anywhere.
package struct BridgeSubject: Sendable, Hashable {
  /// How long a subject may be, in bytes: well within what one line of the protocol takes.
  package static let longest = 1_024

  /// The subject as it goes over the wire; with wildcards for a pattern.
  package let text: String

  private let prefixLength: Int

  /// Names one channel.
  ///
  /// - Throws: `BridgeError` with the code `invalidName`, if that is no legal subject.
  package init(prefix: String, channel name: String) throws(BridgeError) {
    try self.init(prefix: prefix, name, isPattern: false)
  }

  /// Names all channels that a pattern means; its wildcards are the server's.
  ///
  /// - Throws: `BridgeError` with the code `invalidName`, if that is no legal subject.
  package init(prefix: String, pattern: ChannelPattern) throws(BridgeError) {
    try self.init(prefix: prefix, pattern.text, isPattern: true)
  }

  private init(prefix: String, _ name: String, isPattern: Bool) throws(BridgeError) {
    let verb = isPattern ? "bridge the pattern" : "bridge"
    if let fault = prefix.isEmpty ? nil : Self.fault(in: prefix, isPattern: false) {
      throw BridgeError(
        .invalidName,
        "Can't use the prefix '\(shown(prefix))': \(fault). Choose another prefix.")
    }
    text = prefix.isEmpty ? name : "\(prefix).\(name)"
    prefixLength = prefix.isEmpty ? 0 : prefix.utf8.count + 1
    var fault = Self.fault(in: name, isPattern: isPattern)
    if fault == nil, text.utf8.count > Self.longest {
      fault = "with its prefix it has more than \(Self.longest) bytes"
    }
    if fault == nil, text.hasPrefix("$") || text.hasPrefix("_INBOX") {
      fault = "the server keeps names that begin so to itself"
    }
    guard let fault else { return }
    throw BridgeError(
      .invalidName,
      "Can't \(verb) '\(shown(name))': \(fault). Name the channel by parts of letters and digits, "
        + "divided by single dots.")
  }

  /// What keeps a name from being a subject; `nil` for nothing.
  private static func fault(in name: String, isPattern: Bool) -> String? {
    if name.isEmpty { return "it is empty" }
    for scalar in name.unicodeScalars where scalar.value <= 32 || scalar.value == 127 {
      return "it contains a space or a control character"
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      switch part {
      case "": return "one of its parts is empty"
      case "*" where !isPattern, ">" where !isPattern:
        return "a part that is '\(part)' would stand for other names"
      case ">" where index != parts.count - 1: return "'>' has a meaning at the end only"
      default: continue
      }
    }
    return nil
  }

  /// The channel's name in a subject that arrived; `nil` for one with another prefix.
  package func channelName(of subject: String) -> String? {
    guard subject.utf8.count > prefixLength,
      subject.utf8.prefix(prefixLength).elementsEqual(
        text.utf8.prefix(prefixLength))
    else { return nil }
    return String(subject.utf8.dropFirst(prefixLength))
  }
}
