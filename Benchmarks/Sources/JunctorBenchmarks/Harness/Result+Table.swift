import Foundation

/// A number with so many places after the point at most, without superfluous zeros.
///
/// - Parameters:
///   - value: the number.
///   - places: how many places after the point.
/// - Returns: the text.
func shown(_ value: Double, _ places: Int) -> String {
  let text = String(format: "%.\(places)f", value)
  guard text.contains(".") else { return text }
  var kept = Substring(text)
  while kept.last == "0" { kept.removeLast() }
  if kept.last == "." { kept.removeLast() }
  return String(kept)
}

extension Result {
  /// The columns' names.
  static let header = [
    "area", "case", "param", "ns_per_op", "allocations_per_op", "baseline", "baseline_ns", "ratio",
  ]

  /// The columns of one line. Of a case of bytes, the columns of nanoseconds hold bytes.
  var columns: [String] {
    [
      subject.area, subject.name, subject.param, time(ours.value), shown(ours.allocations, 3),
      subject.baseline?.name ?? "-", baseline.map { time($0.value) } ?? "-",
      ratio.map { shown($0, 3) } ?? "-",
    ]
  }

  private func time(_ value: Double) -> String { shown(value, value < 100 ? 2 : 0) }
}

/// Everything measured in one run, as JSON.
struct Record: Codable {
  /// One case.
  struct Row: Codable {
    /// The part of the package.
    let area: String
    /// What was measured.
    let name: String
    /// With which number of what.
    let param: String
    /// `ns` or `bytes`.
    let unit: String
    /// Nanoseconds for one operation, or bytes for one thing.
    let value: Double
    /// Allocations for one operation or thing.
    let allocations: Double
    /// What it was compared with.
    let baseline: String?
    /// The baseline's nanoseconds or bytes.
    let baselineValue: Double?
    /// The baseline's allocations.
    let baselineAllocations: Double?
    /// Ours divided by the baseline's.
    let ratio: Double?

    private enum CodingKeys: String, CodingKey {
      case area, unit, value, param, baseline, ratio
      case name = "case"
      case allocations = "allocations_per_op"
      case baselineValue = "baseline_value"
      case baselineAllocations = "baseline_allocations"
    }
  }

  /// When, as a date of ISO 8601.
  let date: String
  /// The processor and how many of it.
  let machine: String
  /// The compiler's version.
  let toolchain: String
  /// The commit that was measured.
  let commit: String
  /// The cases.
  let results: [Row]
}

extension Record.Row {
  /// Takes over one result.
  init(_ result: Result) {
    area = result.subject.area
    name = result.subject.name
    param = result.subject.param
    if case .memory = result.subject.work { unit = "bytes" } else { unit = "ns" }
    value = result.ours.value
    allocations = result.ours.allocations
    baseline = result.subject.baseline?.name
    baselineValue = result.baseline?.value
    baselineAllocations = result.baseline?.allocations
    ratio = result.ratio
  }
}
