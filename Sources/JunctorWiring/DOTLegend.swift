internal import JunctorCore

/// Explains, in the picture itself, the colours and lines that it uses.
struct DOTLegend {
  /// What is drawn.
  let index: WiringIndex
  /// The colours.
  let palette: Palette

  /// Prepares a legend.
  init(_ index: WiringIndex, _ palette: Palette) {
    self.index = index
    self.palette = palette
  }

  /// One node that holds a table.
  func rendered() -> String {
    var rows = [row("Legend", isBold: true, palette.ink, count)]
    for kind in Self.kinds(of: index) {
      let glyph =
        switch Stroke(kind) {
        case .solid: "───▶"
        case .dashed: "─ ─▶"
        case .dotted: "· · ▶"
        }
      rows.append(row(glyph, palette.hue(Mechanism(kind)), DisplayText.line(kind.rawValue)))
    }
    let found = Set(
      index.findings.values.joined().map(\.kind) + index.edgeFindings.values.map(\.kind))
    if found.contains(.deadEnd) { rows.append(row("■", palette.warning, "dead end")) }
    if found.contains(.collision) || found.contains(.failure) {
      rows.append(row("■", palette.alarm, "collision or failure"))
    }
    let table =
      "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\">\(rows.joined())</TABLE>"
    return
      "  \"legend\" [shape=box style=\"rounded,filled\" fillcolor=\"\(palette.cluster)\" color=\"\(palette.faint)\" tooltip=\"legend\" label=<\(table)>];\n"
  }

  private var count: String {
    "\(counted(index.wiring.nodes.count, "node")), \(counted(index.edges.count, "edge"))"
  }

  private func row(
    _ glyph: String, isBold: Bool = false, _ colour: String, _ words: String
  ) -> String {
    let sign = DOTText.Line(
      glyph, size: 11, isBold: isBold,
      markup:
        "<FONT COLOR=\"\(colour)\" POINT-SIZE=\"11\">\(isBold ? "<B>\(glyph)</B>" : glyph)</FONT>")
    let meaning = DOTText.Line(
      words, size: 10,
      markup: "<FONT POINT-SIZE=\"10\">\(DisplayText.escapedForXML(words))</FONT>")
    return "<TR>\(cell(sign))\(cell(meaning))</TR>"
  }

  private func cell(_ line: DOTText.Line) -> String {
    "<TD ALIGN=\"LEFT\" WIDTH=\"\(DOTText.points([line]))\">\(line.markup)</TD>"
  }

  /// The kinds of edges that occur: Junctor's own in their order, then others by name.
  static func kinds(of index: WiringIndex) -> [Wiring.EdgeKind] {
    let used = Set(index.edges.map { index.wiring.edges[$0].kind })
    let known: [Wiring.EdgeKind] = [
      .posts, .listens, .delegates, .handedOver, .awaitsResult, .provides, .dependsOn, .fallsBack,
    ]
    let others = used.subtracting(known).sorted { $0.rawValue < $1.rawValue }
    return known.filter(used.contains) + others
  }
}
