import Foundation

/// The command: chooses the cases, measures them, prints, writes and judges.
@main
struct Main {
  private static let cases: [Case] =
    floorCases + coreCases + channelCases + mainActorCases + delegateCases + macroCases
    + wiringCases + handoverCases
    + serviceCases

  /// Runs the command.
  static func main() {
    let options: Options
    do {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      if error.isHelp {
        print(error.message)
        exit(0)
      }
      fail(error.message, 2)
    }
    if let file = options.plot { return plot(file) }
    let chosen = cases.filter { subject in
      options.filters.isEmpty
        || options.filters.contains { subject.title.lowercased().contains($0) }
    }
    guard !chosen.isEmpty else {
      fail(
        "Can't measure '\(options.filters.joined(separator: ", "))': no case has it. Run --list.", 2
      )
    }
    if options.list {
      for subject in chosen { print(subject.title) }
      return
    }

    parkSecondThread()
    print(Result.header.joined(separator: "\t"))
    var results: [Result] = []
    for subject in chosen {
      let result = measure(subject, options.quick ? .quick : .full)
      print(result.columns.joined(separator: "\t"))
      // A line must be seen as soon as it is known, also through a pipe.
      fflush(nil)
      results.append(result)
    }
    write(results, options)
    if options.check { judge(results, options) }
  }

  private static func write(_ results: [Result], _ options: Options) {
    let record = Record(results)
    if let path = options.json {
      do { try record.write(to: path) } catch {
        fail("Can't write '\(path)': \(error.localizedDescription). Name another file.", 1)
      }
    }
    if options.record {
      let path = ProcessInfo.processInfo.environment["JUNCTOR_RESULTS"] ?? "RESULTS.md"
      do { try record.add(to: path, results.map(\.columns)) } catch {
        fail("Can't write '\(path)': \(error.localizedDescription). Make it writable.", 1)
      }
    }
  }

  private static func plot(_ file: String) {
    let source = URL(fileURLWithPath: file)
    do {
      let record = try JSONDecoder().decode(Record.self, from: Data(contentsOf: source))
      for (name, plot) in Plot.all(in: record) {
        let target = source.deletingLastPathComponent().appendingPathComponent(name)
        try Data(plot.svg().utf8).write(to: target, options: .atomic)
        print(target.path)
      }
    } catch {
      fail("Can't draw '\(file)': \(error.localizedDescription). Write it with --json first.", 1)
    }
  }

  private static func judge(_ results: [Result], _ options: Options) {
    let slowness = options.quick ? 1 : Machine.slowness()
    var count = 0
    for result in results {
      for sentence in result.missed(slowness: slowness, quick: options.quick) {
        count += 1
        FileHandle.standardError.write(Data("MISSED \(result.subject.title): \(sentence)\n".utf8))
      }
    }
    let asked = results.reduce(0) { $0 + $1.subject.musts.count }
    if count > 0 { fail("Can't accept the figures: \(count) of \(asked) limits are missed.", 1) }
    FileHandle.standardError.write(Data("All \(asked) limits are kept.\n".utf8))
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}
