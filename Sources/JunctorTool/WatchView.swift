internal import JunctorWiring

/// Draws a model as lines of text: a pure function of the model, the size and the choices.
struct WatchView {
  /// How many columns there are; `nil` for as many as it takes.
  var width: Int?
  /// How many lines there are; `nil` for as many as it takes.
  var height: Int?
  /// Whether to use colours.
  var isColoured = false
  /// Whether only those rows are shown with which something is wrong.
  var isProblemsOnly = false
  /// How many lines of the list are scrolled away.
  var offset = 0
  /// Whether the last line tells which keys there are.
  var showsKeys = false

  private enum Style: String {
    case plain = ""
    case title = "1"
    case faint = "2"
    case warning = "33"
    case alarm = "1;31"
  }

  /// The lines, none wider than the width and no more of them than the height.
  ///
  /// - Complexity: O(rows).
  func lines(_ model: WatchModel) -> [String] {
    var head = [line(.title, "junctor · \(model.address)"), line(.plain, status(model))]
    let list = list(model)
    let foot = showsKeys ? [line(.faint, keys(list.count, model))] : []
    guard let height else {
      head.append("")
      return head + list + news(model, .max) + foot
    }
    // A few lines for what happens, where there is room for the list as well.
    let events = news(model, height / 4)
    let room = max(0, height - head.count - events.count - foot.count)
    let first = min(offset, maximalOffset(list.count, room))
    let shown = Array(list.dropFirst(first).prefix(room))
    let blank = Array(repeating: "", count: room - shown.count)
    return Array((head + shown + blank + events + foot).prefix(height))
  }

  /// How far the list can be scrolled.
  func limit(_ model: WatchModel) -> Int {
    guard let height else { return 0 }
    let events = news(model, height / 4).count
    return maximalOffset(list(model).count, max(0, height - 2 - events - (showsKeys ? 1 : 0)))
  }

  private func maximalOffset(_ count: Int, _ room: Int) -> Int { max(0, count - room) }

  private func status(_ model: WatchModel) -> String {
    var parts = [model.summary]
    if let rate = model.eventRate { parts.append("\(Self.shown(rate)) events/s") }
    if model.missed > 0 { parts.append("\(model.missed) not shown") }
    return parts.joined(separator: " · ")
  }

  private func keys(_ count: Int, _ model: WatchModel) -> String {
    let problems = isProblemsOnly ? "p everything" : "p problems only"
    return "q quit · ↑ ↓ scroll · \(problems)"
  }

  // MARK: - The list

  private func list(_ model: WatchModel) -> [String] {
    let rows = model.rows.filter { !isProblemsOnly || $0.isAlarm || $0.isDeadEnd }
    guard !rows.isEmpty else {
      return [line(.faint, isProblemsOnly ? "Nothing is wrong." : "Nothing is joined.")]
    }
    let columns = columns(rows)
    var lines: [String] = []
    var mechanism = ""
    for row in rows {
      if row.mechanism != mechanism {
        mechanism = row.mechanism
        lines.append(line(.title, mechanism))
      }
      lines.append(draw(row, columns))
    }
    if model.objectCount > 0, !isProblemsOnly {
      let noun = model.objectCount == 1 ? "object" : "objects"
      lines.append(line(.faint, "and \(model.objectCount) \(noun)"))
    }
    return lines
  }

  private struct Columns {
    var label: Int
    /// `nil` where there is room for one thing besides the label only.
    var kind: Int?
    var state: Int
  }

  private func columns(_ rows: [WatchModel.Row]) -> Columns {
    func widest(_ text: (WatchModel.Row) -> String) -> Int {
      rows.map { TextWidth.of(text($0)) }.max() ?? 0
    }
    guard let width else {
      return Columns(label: widest(\.label), kind: widest(\.kind), state: widest(\.state))
    }
    if width < 60 { return Columns(label: min(widest(\.label), width / 2), kind: nil, state: 0) }
    return Columns(
      label: min(widest(\.label), max(16, width / 4)), kind: widest(\.kind),
      state: min(widest(\.state), max(16, width / 4)))
  }

  private func draw(_ row: WatchModel.Row, _ columns: Columns) -> String {
    var parts = [
      row.isAlarm || row.isDeadEnd ? "!" : " ", TextWidth.fit(row.label, to: columns.label),
    ]
    let counters = row.counters.map(Self.shown)
    if let kind = columns.kind {
      parts.append(TextWidth.fit(row.kind, to: kind))
      parts.append(TextWidth.fit(row.state, to: columns.state))
      parts.append((["\(row.joined) joined"] + counters).joined(separator: " · "))
    } else {
      let isFine = row.state == "alive" && !counters.isEmpty
      parts.append(isFine ? counters.joined(separator: " · ") : row.state)
    }
    let style: Style = row.isAlarm ? .alarm : row.isDeadEnd ? .warning : .plain
    return line(style, parts.joined(separator: " "))
  }

  private static func shown(_ counter: WatchModel.Counter) -> String {
    let rate = counter.rate.map { $0 > 0 ? " +\(shown($0))/s" : "" } ?? ""
    return "\(counter.name) \(counter.value)\(rate)"
  }

  private static func shown(_ rate: Double) -> String {
    if rate >= 100 { return "\(Int(min(rate, 1e15).rounded()))" }
    let tenths = Int((rate * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: - What happens

  private func news(_ model: WatchModel, _ room: Int) -> [String] {
    guard !model.events.isEmpty, room >= 3 else { return [] }
    let shown = model.events.suffix(room - 2)
    return ["", line(.title, "History")]
      + shown.map { event in
        var parts = ["  \(DisplayText.line(event.kind))", "'\(DisplayText.line(event.label))'"]
        if event.count > 0 { parts.append("→ \(event.count)") }
        if let time = event.microseconds { parts.append("\(Self.shown(time)) µs") }
        if let site = event.site { parts.append(DisplayText.line(site)) }
        let isBad = event.kind == "failure" || event.kind == "drop"
        return line(isBad ? .alarm : .plain, parts.joined(separator: " "))
      }
  }

  private func line(_ style: Style, _ text: String) -> String {
    let fitted = width.map { TextWidth.fit(text, to: $0, fill: false) } ?? text
    guard isColoured, style != .plain else { return fitted }
    return "\u{1B}[\(style.rawValue)m\(fitted)\u{1B}[0m"
  }
}
