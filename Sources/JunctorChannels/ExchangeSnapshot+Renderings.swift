internal import JunctorCore

extension ExchangeSnapshot {
  /// Lines for people to read.
  var text: String {
    var lines = [
      "exchange '\(shown(label))': \(channels.count) \(channels.count == 1 ? "channel" : "channels")"
    ]
    for channel in channels { lines += channel.lines.map { "  " + $0 } }
    if !patterns.isEmpty { lines.append("  patterns") }
    lines += patterns.enumerated().map { "    \($0 + 1). \($1.text)" }
    if !taps.isEmpty { lines.append("  taps") }
    lines += taps.enumerated().map { "    \($0 + 1). \($1.text)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One JSON object (RFC 8259).
  var json: String {
    JSONText.object([
      ("label", .string(label)), ("channels", .array(channels.map(\.json))),
      ("patterns", .array(patterns.map(\.json))), ("taps", .array(taps.map(\.json))),
    ]).text
  }
}

extension ExchangeSnapshot.Channel {
  /// A line for the channel and one for each listener.
  var lines: [String] {
    ["'\(shown(name))' of \(messageType)  [\(site)]"]
      + listeners.enumerated().map { "  \($0 + 1). \($1.text)" }
  }

  fileprivate var json: JSONText {
    .object([
      ("name", .string(name)), ("messageType", .string(messageType)),
      ("site", .string(site.description)), ("listeners", .array(listeners.map(\.json))),
    ])
  }
}

extension ExchangeSnapshot.Listener {
  fileprivate var text: String {
    var words = label.map { "'\(shown($0))' " } ?? ""
    words += "\(owner ?? "a subscription"), priority \(priority), on \(place)"
    if let pattern { words += ", by '\(shown(pattern))'" }
    if isPaused { words += ", paused" }
    if !isAlive { words += ", gone" }
    if !counters.isEmpty { words += ", \(pending) pending" }
    for (name, count) in counters.sorted(by: { $0.key < $1.key }) { words += ", \(count) \(name)" }
    return words + "  [\(site)]"
  }

  fileprivate var json: JSONText {
    .object([
      ("label", label.map(JSONText.string) ?? .null),
      ("owner", owner.map(JSONText.string) ?? .null), ("site", .string(site.description)),
      ("priority", .number("\(priority)")), ("place", .string(place)),
      ("pattern", pattern.map(JSONText.string) ?? .null), ("isPaused", .bool(isPaused)),
      ("isAlive", .bool(isAlive)), ("pending", .number("\(pending)")),
      (
        "counters",
        .object(counters.sorted { $0.key < $1.key }.map { ($0.key, .number("\($0.value)")) })
      ),
    ])
  }
}

/// Just enough JSON to write, in the order given.
private indirect enum JSONText {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONText])
  case object([(String, JSONText)])

  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): digits
    case .string(let value): Self.quoted(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0) + ":" + $1.text }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ value: String) -> String {
    var result = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 32:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
