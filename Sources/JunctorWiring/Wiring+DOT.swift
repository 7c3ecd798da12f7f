public import JunctorCore

extension Wiring {
  /// Renders the wiring as a graph for Graphviz's program `dot`.
  ///
  /// Mechanisms are clusters, and so are exchanges and sets with what belongs to them; objects stand free between them.
  /// Dead ends, collisions and failures are drawn in warning colours and say what is wrong. The more nodes there are,
  /// the less is written in each; what is left out is in its tool tip. A legend explains colours and lines.
  ///
  /// - Parameter theme: the colours.
  /// - Returns: a `digraph`, ended by a newline.
  /// - Complexity: O(nodes + edges).
  public func dot(theme: WiringTheme = .light) -> String {
    var graph = DOTGraph(WiringIndex(self), theme.palette)
    return graph.rendered()
  }
}

/// Writes the graph.
struct DOTGraph {
  /// What is drawn.
  let index: WiringIndex
  /// The colours.
  let palette: Palette
  /// How much each node says.
  let detail: PictureDetail
  private var output = ""

  /// Prepares a graph.
  init(_ index: WiringIndex, _ palette: Palette) {
    self.index = index
    self.palette = palette
    detail = PictureDetail(nodes: index.wiring.nodes.count, edges: index.edges.count)
  }

  /// The whole `digraph`.
  mutating func rendered() -> String {
    output = "digraph wiring {\n"
    writeDefaults()
    for mechanism in Mechanism.allCases { write(mechanism) }
    for place in index.edges { write(edge: index.wiring.edges[place], at: place) }
    output += DOTLegend(index, palette).rendered()
    output += "}\n"
    return output
  }

  private mutating func writeDefaults() {
    let font = "fontname=\"Helvetica,Arial,sans-serif\""
    // Huge graphs are laid out with fewer rounds and straight lines; they would take minutes otherwise.
    let effort =
      index.wiring.nodes.count > 400 ? " nslimit=1 nslimit1=1 mclimit=0.3 splines=line" : ""
    let gap = detail.showsEdgeLabels ? "0.6" : "1.1"
    output += """
        graph [rankdir=LR bgcolor="\(palette.page)" pad=0.3 nodesep=0.2 ranksep=\(gap) \(font) \
      fontsize=13 fontcolor="\(palette.ink)"\(effort)];
        node [shape=box style="filled" fillcolor="\(palette.node)" color="\(palette.faint)" \
      fontcolor="\(palette.ink)" \(font) fontsize=12 margin="0.1,0.05" height=0.3];
        edge [color="\(palette.faint)" fontcolor="\(palette.ink)" \(font) fontsize=9 \
      arrowsize=0.7 penwidth=1.4];

      """
  }

  private mutating func write(_ mechanism: Mechanism) {
    guard let roots = index.roots[mechanism], !roots.isEmpty else { return }
    guard mechanism != .objects else {
      for node in roots { write(node, indent: "  ") }
      return
    }
    output += "  subgraph \"cluster_\(mechanism.rawValue)\" {\n"
    let name = mechanism.rawValue
    let title = DOTText.Line(name, size: 13, isBold: true, markup: "<B>\(name)</B>")
    output += "    label=<\(DOTText.label([title]))>; style=\"rounded,filled\"; labeljust=l;\n"
    output += "    fillcolor=\"\(palette.cluster)\"; color=\"\(palette.hue(mechanism))\";"
    output += " fontcolor=\"\(palette.hue(mechanism))\";\n"
    for node in roots { writeFamily(node, indent: "    ") }
    output += "  }\n"
  }

  /// A node with what belongs to it. One that nothing else is said of is the frame alone.
  private mutating func writeFamily(_ node: Wiring.Node, indent: String) {
    let children = index.children(of: node.id)
    guard !children.isEmpty else { return write(node, indent: indent) }
    let words = index.title(node)
    let line = DOTText.Line(words, size: 11, markup: DisplayText.escapedForXML(words))
    let title = DOTText.label([line])
    output += "\(indent)subgraph \"cluster_\(node.id)\" {\n"
    output += "\(indent)  label=<\(title)>; style=\"rounded\"; labeljust=l; fontsize=11;"
    output += " color=\"\(palette.faint)\"; fontcolor=\"\(palette.faint)\";\n"
    if index.isJoined(node.id) || index.findings[node.id] != nil {
      write(node, indent: indent + "  ")
    }
    for child in children { writeFamily(child, indent: indent + "  ") }
    output += "\(indent)}\n"
  }

  private mutating func write(_ node: Wiring.Node, indent: String) {
    let findings = index.findings[node.id] ?? []
    let isAlarm = findings.contains { $0.kind != .deadEnd }
    let hue = palette.hue(Mechanism(node.kind))
    var style = node.kind == .object ? "rounded,filled" : "filled"
    if node.state == .paused { style += ",dashed" }
    if node.state == .dead { style += ",dotted" }
    var attributes = "label=<\(label(node, findings))> style=\"\(style)\" color=\"\(hue)\""
    if !findings.isEmpty {
      let (line, fill) =
        isAlarm ? (palette.alarm, palette.alarmFill) : (palette.warning, palette.warningFill)
      attributes =
        "label=<\(label(node, findings))> style=\"\(style)\" color=\"\(line)\" fillcolor=\"\(fill)\" penwidth=2"
    }
    let everything = [index.title(node)] + findings.map(\.description) + Details.phrases(node)
    attributes += " tooltip=\(quoted(everything))"
    output += "\(indent)\"\(node.id)\" [\(attributes)];\n"
  }

  private func label(_ node: Wiring.Node, _ findings: [Wiring.Finding]) -> String {
    let name = shown(node.label, fallback: node.kind.rawValue)
    let bold = "<B>\(DisplayText.escapedForXML(name))</B>"
    var rows = [DOTText.Line(name, size: 12, isBold: true, markup: bold)]
    for line in detail.lines(node) {
      rows.append(small(line, palette.faint))
    }
    for finding in findings {
      let colour = finding.kind == .deadEnd ? palette.warning : palette.alarm
      rows.append(small("! " + DisplayText.line(finding.message), colour))
    }
    return DOTText.label(rows)
  }

  private func small(_ text: String, _ colour: String) -> DOTText.Line {
    let words = DisplayText.escapedForXML(text)
    return DOTText.Line(
      text, size: 9, markup: "<FONT POINT-SIZE=\"9\" COLOR=\"\(colour)\">\(words)</FONT>")
  }

  private func shown(_ text: String, fallback: String) -> String {
    let line = DisplayText.line(text)
    // Graphviz refuses tags with nothing in them.
    let isBlank = line.allSatisfy { $0 == " " || $0 == "\u{a0}" }
    return isBlank ? "(\(DisplayText.line(fallback)))" : line
  }

  private mutating func write(edge: Wiring.Edge, at place: Int) {
    let finding = index.edgeFindings[place]
    let alarm = finding?.kind == .deadEnd ? palette.warning : palette.alarm
    let colour = finding == nil ? palette.hue(Mechanism(edge.kind)) : alarm
    let stroke = edge.state == .paused ? Stroke.dotted : Stroke(edge.kind)
    var attributes = "color=\"\(colour)\" style=\(stroke.rawValue)"
    var words = Details.placePhrases(edge) + Details.statePhrase(edge.state)
    if let finding { words = ["! " + DisplayText.line(finding.message)] }
    if detail.showsEdgeLabels || finding != nil, !words.isEmpty {
      let line = small(words.joined(separator: " · "), finding == nil ? palette.ink : alarm)
      attributes += " label=<\(DOTText.label([line]))>"
    }
    attributes +=
      " tooltip=\(quoted([DisplayText.line(edge.kind.rawValue)] + Details.phrases(edge)))"
    output += "  \"\(edge.from)\" -> \"\(edge.to)\" [\(attributes)];\n"
  }

  /// A quoted string of lines. Graphviz reads `\n` as a line's end and resolves entities.
  private func quoted(_ lines: [String]) -> String {
    let escaped = lines.map { line in
      DisplayText.escapedForXML(line).split(separator: "\\", omittingEmptySubsequences: false)
        .joined(separator: "\\\\")
    }
    return "\"\(escaped.joined(separator: "\\n"))\""
  }
}
