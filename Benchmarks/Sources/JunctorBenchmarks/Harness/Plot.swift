import Foundation

/// One scaling curve: a case measured with several numbers of something, on logarithmic axes.
struct Plot {
  private struct Point {
    let count: Double
    let value: Double
  }

  private struct Line {
    let name: String
    let colour: String
    let points: [Point]
  }

  private let title: String
  private let lines: [Line]
  private let unit: String
  private static let (width, height, margin) = (640.0, 400.0, 56.0)

  /// The curves in a record: of each case that was measured with three numbers or more.
  ///
  /// - Parameter record: what was measured.
  /// - Returns: a file name and a plot for each.
  static func all(in record: Record) -> [(file: String, plot: Plot)] {
    var order: [String] = []
    var groups: [String: [Record.Row]] = [:]
    for row in record.results where Double(row.param) ?? 0 > 0 {
      let key = "\(row.area): \(row.name)"
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(row)
    }
    return order.compactMap { key in
      guard let rows = groups[key], rows.count >= 3 else { return nil }
      let words = key.lowercased().split { !$0.isLetter && !$0.isNumber }
      return (words.joined(separator: "-") + ".svg", Plot(title: key, rows))
    }
  }

  private init(title: String, _ rows: [Record.Row]) {
    func points(_ value: (Record.Row) -> Double?) -> [Point] {
      rows.compactMap { row in
        guard let count = Double(row.param), let value = value(row), value > 0 else { return nil }
        return Point(count: count, value: value)
      }
      .sorted { $0.count < $1.count }
    }
    self.title = title
    unit = rows.first?.unit ?? "ns"
    let ours = Line(name: "Junctor", colour: "#0b62a4", points: points { $0.value })
    let theirs = Line(
      name: rows.first?.baseline ?? "", colour: "#b5651d", points: points { $0.baselineValue })
    lines = [ours, theirs].filter { !$0.points.isEmpty }
  }

  /// The picture.
  func svg() -> String {
    let points = lines.flatMap(\.points)
    let x = Axis(points.map(\.count), from: Self.margin, to: Self.width - 20)
    let y = Axis(points.map(\.value), from: Self.height - Self.margin, to: 40)
    var parts = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.width) \(Self.height)\""
        + " font-family=\"sans-serif\" font-size=\"12\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
      text(title, Self.margin, 22, "font-size=\"14\" font-weight=\"bold\""),
    ]
    for power in x.powers {
      let place = x.place(pow(10, power))
      parts.append(grid(place, 40, place, Self.height - Self.margin))
      let label = power < 4 ? shown(pow(10, power), 0) : "10^\(shown(power, 0))"
      parts.append(
        text(label, place, Self.height - Self.margin + 18, "text-anchor=\"middle\""))
    }
    for power in y.powers {
      let place = y.place(pow(10, power))
      parts.append(grid(Self.margin, place, Self.width - 20, place))
      parts.append(
        text(amount(pow(10, power)), Self.margin - 6, place + 4, "text-anchor=\"end\""))
    }
    for (index, line) in lines.enumerated() {
      let path = line.points.map { "\(shown(x.place($0.count), 1)),\(shown(y.place($0.value), 1))" }
      parts.append(
        "<polyline fill=\"none\" stroke=\"\(line.colour)\" stroke-width=\"2\""
          + " points=\"\(path.joined(separator: " "))\"/>")
      for point in line.points {
        parts.append(
          "<circle cx=\"\(shown(x.place(point.count), 1))\" cy=\"\(shown(y.place(point.value), 1))\""
            + " r=\"3\" fill=\"\(line.colour)\"/>")
      }
      parts.append(
        text(
          line.name, Self.margin + 10, 56 + 16 * Double(index),
          "fill=\"\(line.colour)\" font-weight=\"bold\""))
    }
    return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func amount(_ value: Double) -> String {
    guard unit == "ns" else { return shown(value, 0) + " B" }
    switch value {
    case 1e9...: return shown(value / 1e9, 0) + " s"
    case 1e6...: return shown(value / 1e6, 0) + " ms"
    case 1e3...: return shown(value / 1e3, 0) + " µs"
    default: return shown(value, 1) + " ns"
    }
  }

  private func text(_ words: String, _ x: Double, _ y: Double, _ style: String) -> String {
    let escaped = words.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
    return "<text x=\"\(shown(x, 1))\" y=\"\(shown(y, 1))\" \(style)>\(escaped)</text>"
  }

  private func grid(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<line x1=\"\(shown(x1, 1))\" y1=\"\(shown(y1, 1))\" x2=\"\(shown(x2, 1))\""
      + " y2=\"\(shown(y2, 1))\" stroke=\"#ddd\"/>"
  }
}

/// A logarithmic axis over whole powers of ten.
private struct Axis {
  private let low: Double
  private let high: Double
  private let start: Double
  private let end: Double

  init(_ values: [Double], from start: Double, to end: Double) {
    let low = log10(values.min() ?? 1).rounded(.down)
    self.low = low
    high = max(low + 1, log10(values.max() ?? 10).rounded(.up))
    self.start = start
    self.end = end
  }

  /// The powers of ten that get a line.
  var powers: [Double] { Array(stride(from: low, through: high, by: 1)) }

  /// Where a value lies in the picture.
  func place(_ value: Double) -> Double {
    start + (log10(value) - low) / (high - low) * (end - start)
  }
}
