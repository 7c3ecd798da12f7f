public import JunctorCore

extension Wiring {
  /// Renders the wiring as a flow chart for Mermaid, which GitHub and GitLab draw inside Markdown.
  ///
  /// - Parameter theme: the colours.
  /// - Returns: a `flowchart`, ended by a newline.
  /// - Complexity: O(nodes + edges).
  public func mermaid(theme: WiringTheme = .light) -> String {
    var chart = MermaidChart(WiringIndex(self), theme)
    return chart.rendered()
  }
}

/// Writes the flow chart.
private struct MermaidChart {
  let index: WiringIndex
  let theme: WiringTheme
  let palette: Palette
  let detail: PictureDetail
  var output = ""

  init(_ index: WiringIndex, _ theme: WiringTheme) {
    self.index = index
    self.theme = theme
    palette = theme.palette
    detail = PictureDetail(nodes: index.wiring.nodes.count, edges: index.edges.count)
  }

  mutating func rendered() -> String {
    let base = theme == .dark ? "dark" : "default"
    output = "%%{init: {\"theme\": \"\(base)\", \"maxEdges\": 10000}}%%\nflowchart LR\n"
    for mechanism in Mechanism.allCases { write(mechanism) }
    for place in index.edges { write(index.wiring.edges[place], at: place) }
    writeLegend()
    writeClasses()
    return output
  }

  private mutating func write(_ mechanism: Mechanism) {
    guard let roots = index.roots[mechanism], !roots.isEmpty else { return }
    guard mechanism != .objects else {
      for node in roots { write(node, indent: "  ") }
      return
    }
    output += "  subgraph \(mechanism.rawValue)\n"
    for node in roots { writeFamily(node, indent: "    ") }
    output += "  end\n"
  }

  private mutating func writeFamily(_ node: Wiring.Node, indent: String) {
    let children = index.children(of: node.id)
    guard !children.isEmpty else { return write(node, indent: indent) }
    output += "\(indent)subgraph \(name(node.id))s[\"\(escaped(index.title(node)))\"]\n"
    if index.isJoined(node.id) || index.findings[node.id] != nil {
      write(node, indent: indent + "  ")
    }
    for child in children { writeFamily(child, indent: indent + "  ") }
    output += "\(indent)end\n"
  }

  private mutating func write(_ node: Wiring.Node, indent: String) {
    let findings = index.findings[node.id] ?? []
    let label = DisplayText.line(node.label)
    let lines =
      [label.isEmpty ? "(\(DisplayText.line(node.kind.rawValue)))" : label] + detail.lines(node)
      + findings.map { "! " + DisplayText.line($0.message) }
    let text = lines.map(escaped).joined(separator: "<br/>")
    let (open, close) = node.kind == .object ? ("([", "])") : ("[", "]")
    let isAlarm = findings.contains { $0.kind != .deadEnd }
    let style = findings.isEmpty ? Mechanism(node.kind).rawValue : isAlarm ? "alarm" : "warning"
    output += "\(indent)\(name(node.id))\(open)\"\(text)\"\(close):::\(style)\n"
  }

  private mutating func write(_ edge: Wiring.Edge, at place: Int) {
    let arrow =
      switch Stroke(edge.kind) {
      case .solid: "-->"
      case .dashed, .dotted: "-.->"
      }
    var words = [DisplayText.line(edge.kind.rawValue)]
    if detail.showsEdgeLabels {
      words += Details.placePhrases(edge) + Details.statePhrase(edge.state)
    }
    if let finding = index.edgeFindings[place] {
      words = ["! " + DisplayText.line(finding.message)]
    }
    let isLabelled = detail.showsEdgeLabels || index.edgeFindings[place] != nil
    let label = isLabelled ? "|\"\(escaped(words.joined(separator: " · ")))\"|" : ""
    output += "  \(name(edge.from)) \(arrow)\(label) \(name(edge.to))\n"
  }

  private mutating func writeLegend() {
    var items: [(String, String)] = []
    for mechanism in Mechanism.allCases where index.roots[mechanism] != nil {
      items.append((mechanism.rawValue, mechanism.rawValue))
    }
    items += [("dead end", "warning"), ("collision or failure", "alarm")]
    output += "  subgraph Legend\n"
    for (place, (words, style)) in items.enumerated() {
      output += "    legend\(place)[\"\(words)\"]:::\(style)\n"
    }
    output += "  end\n"
  }

  private mutating func writeClasses() {
    for mechanism in Mechanism.allCases {
      output += "  classDef \(mechanism.rawValue) fill:\(palette.node),"
      output += "stroke:\(palette.hue(mechanism)),color:\(palette.ink)\n"
    }
    for (style, line, fill) in [
      ("warning", palette.warning, palette.warningFill),
      ("alarm", palette.alarm, palette.alarmFill),
    ] {
      output += "  classDef \(style) fill:\(fill),stroke:\(line),color:\(palette.ink),"
      output += "stroke-width:2px\n"
    }
    for (place, source) in index.edges.enumerated() {
      let hue =
        index.edgeFindings[source].map { $0.kind == .deadEnd ? palette.warning : palette.alarm }
        ?? palette.hue(Mechanism(index.wiring.edges[source].kind))
      output += "  linkStyle \(place) stroke:\(hue)\n"
    }
  }

  /// A number below zero has a minus sign, which Mermaid takes for the beginning of an arrow.
  private func name(_ id: Wiring.NodeID) -> String {
    id.rawValue < 0 ? "nm\(id.rawValue.magnitude)" : "n\(id.rawValue)"
  }

  /// Writes what Mermaid or HTML would read as its own as numbered entities.
  private func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "#", "&", "<", ">", "\\", "`", "*", "_", "~", "|", "[", "]", "{", "}", "(", ")",
        "%",
        ";", "$", "@", "/":
        escaped += "#\(scalar.value);"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
