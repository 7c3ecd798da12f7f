import Foundation
import Synchronization

/// What the figures were measured on.
enum Machine {
  /// What an uncontended mutex costs on the machine that the contracts' nanoseconds come from.
  private static let referenceMutex = 17.0

  /// How much slower than that machine this one is, at least 1: what limits in nanoseconds are multiplied by.
  static func slowness() -> Double {
    let mutex = Case("machine", "mutex") {
      let counter = Mutex(0)
      return { turns in for _ in 0..<turns { counter.withLock { $0 &+= 1 } } }
    }
    return max(1, measure(mutex, .full).ours.value / referenceMutex)
  }

  /// The processor and how many of it.
  static var description: String {
    var model = "unknown processor"
    if let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) {
      let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
      if let name = line?.split(separator: ":", maxSplits: 1).last {
        model = name.trimmingCharacters(in: .whitespaces)
      }
    }
    let system = ProcessInfo.processInfo.operatingSystemVersionString
    return "\(ProcessInfo.processInfo.activeProcessorCount) × \(model), \(system)"
  }
}

extension Record {
  /// Puts results together with what they were measured on.
  init(_ results: [Result]) {
    let environment = ProcessInfo.processInfo.environment
    date = Date().formatted(.iso8601)
    machine = Machine.description
    toolchain = environment["JUNCTOR_TOOLCHAIN"] ?? "unknown"
    commit = environment["JUNCTOR_COMMIT"] ?? "unknown"
    self.results = results.map(Row.init)
  }

  /// Writes everything to a file as JSON.
  ///
  /// - Parameter path: the file.
  /// - Throws: what writing throws.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Puts a dated table at the head of a Markdown file, below its title.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - rows: the lines, in columns.
  /// - Throws: what reading or writing throws.
  func add(to path: String, _ rows: [[String]]) throws {
    let title = "# Results\n\nWritten by `./bench --record`; the newest first.\n"
    let old = (try? String(contentsOfFile: path, encoding: .utf8)) ?? title
    let earlier = old.hasPrefix(title) ? String(old.dropFirst(title.count)) : old
    var text = title + "\n## \(date)\n\n- Machine: \(machine)\n- Toolchain: \(toolchain)\n"
    text += "- Commit: \(commit)\n\n"
    text += "| " + Result.header.joined(separator: " | ") + " |\n"
    text += "| --- | --- | --- | ---: | ---: | --- | ---: | ---: |\n"
    for row in rows { text += "| " + row.joined(separator: " | ") + " |\n" }
    try (text + earlier).write(toFile: path, atomically: true, encoding: .utf8)
  }
}
