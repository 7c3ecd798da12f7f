internal import Foundation
internal import Junctor

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The news reader: reads feeds, then commands from a file, a pipe or the keyboard.
///
/// ## Concurrency
/// On the main actor; files are read elsewhere.
@MainActor
public final class NewsreaderProgram {
  private let arguments: Arguments
  private let console = Console()
  private let services: Services
  private let store: FileArticleStore
  private let reading: ReadingScreen
  private let list: ListScreen
  private let badge: UnreadBadge
  #if NATS
    private var marks: MarkBridge?
  #endif
  /// What went wrong; while the screen belongs to the reader, it waits to be printed.
  private var problems: [NewsreaderError] = []
  private var hasScreen = false

  /// Runs the program.
  ///
  /// - Parameter words: the command line, without the program's name.
  /// - Returns: the exit status: 0, 1 when something could not be read or written, 2 for wrong usage.
  public static func run(_ words: [String]) async -> Int32 {
    // A full disk and a reader that went away are errors to handle, not reasons to die.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    let console = Console()
    do {
      let arguments = try Arguments(words)
      if arguments.wantsHelp {
        console.print(Arguments.help)
        console.flush()
        return 0
      }
      return try await NewsreaderProgram(arguments).run()
    } catch let error as NewsreaderError {
      console.complain(error.message)
      return error.code == .usage ? 2 : 1
    } catch {
      console.complain("\(error)")
      return 1
    }
  }

  private init(_ arguments: Arguments) throws {
    self.arguments = arguments
    // The picture at the end shows who posted what only if that was written down from the beginning.
    if arguments.wiring != nil { Wiring.History.start() }
    let app = Services("newsreader")
    services = app
    let clock = SystemClock()
    let file = StateFile(path: try arguments.state ?? StateLocation.standard())
    let complaints = Complaints()
    store = FileArticleStore(file: file, clock: clock) { complaints.add($0) }
    app.set((any Clock).self, to: clock)
    app.set((any ArticleStore).self, to: store)
    app.provide((any TextWrapper).self) { _ in ColumnWrapper() }
    app.provide((any FeedLoader).self) { _ in XMLFeedLoader() }
    reading = ReadingScreen(app: app)
    list = try ListScreen(app: app, reading: reading)
    badge = UnreadBadge(store: store)
    complaints.forward { [unowned self] in self.complain($0) }
  }

  private func run() async throws -> Int32 {
    await beginSharing()
    if arguments.commands == nil, isatty(0) == 1, isatty(1) == 1 {
      hasScreen = true
      let session = try InteractiveSession(
        services: services, list: list, reading: reading, badge: badge)
      await session.run { [unowned self] finished in
        await load(finished: finished) { session.show($0.message) }
      }
      hasScreen = false
      for problem in problems { console.complain(problem.message) }
    } else {
      do {
        try await runCommands()
      } catch {
        // What was done until then counts.
        await endSharing()
        store.save()
        console.flush()
        throw error
      }
    }
    await endSharing()
    store.save()
    if let path = arguments.wiring { writeWiring(path) }
    console.flush()
    return problems.isEmpty ? 0 : 1
  }

  private func runCommands() async throws {
    var lines =
      if let path = arguments.commands { try LineReader(path: path) } else { LineReader() }
    let meter = TerminalMeter(console: console)
    await load(finished: { meter?.finish($0) }, show: { _ in })
    let interpreter = try CommandInterpreter(
      services: services, list: list, reading: reading,
      writeWiring: { [unowned self] in writeWiring($0) },
      output: { [console] in console.print($0) })
    var goesOn = true
    while goesOn, !console.isBroken {
      if !lines.isReady {
        // Whoever types, or whoever feeds the pipe, may take his time: nothing waits for him unsaved, and an answer
        // means that what was asked for is on the disk.
        store.save()
        console.flush()
      }
      guard let line = try lines.next() else { break }
      await keepUp()
      goesOn = interpreter.run(line)
    }
  }

  private func load(
    finished: @escaping (String) -> Void, show: @escaping (NewsreaderError) -> Void
  ) async {
    do {
      let importer = try FeedImporter(services: services, finished: finished) { [unowned self] in
        complain($0)
        show($0)
      }
      await importer.load(arguments.feeds)
    } catch {
      complain(NewsreaderError(code: .feed, message: "\(error)"))
    }
  }

  private func complain(_ problem: NewsreaderError) {
    problems.append(problem)
    if !hasScreen { console.complain(problem.message) }
  }

  // MARK: - Other readers

  /// Joins the other readers, if there is to be a server for it, and waits for what they marked meanwhile.
  private func beginSharing() async {
    #if NATS
      guard let url = arguments.nats else { return }
      do {
        let marks = try MarkBridge(
          url, statePath: try arguments.state ?? StateLocation.standard())
        self.marks = marks
        try await marks.catchUp(within: .seconds(5))
      } catch let error as NewsreaderError {
        complain(error)
      } catch {
        complain(NewsreaderError(code: .state, message: "\(error)"))
      }
    #endif
  }

  /// Lets what others mark come in: whoever reads commands holds the main actor.
  private func keepUp() async {
    #if NATS
      guard let marks else { return }
      do throws(NewsreaderError) {
        try await marks.catchUp(within: .seconds(1))
      } catch {
        // It was said at the start, or what is left will be said at the end.
        return
      }
    #endif
  }

  /// Leaves the other readers, when they have everything.
  private func endSharing() async {
    #if NATS
      guard let marks else { return }
      self.marks = nil
      do throws(NewsreaderError) {
        try await marks.close()
      } catch {
        complain(error)
      }
    #endif
  }

  private func writeWiring(_ path: String) {
    do throws(NewsreaderError) {
      try WiringPicture.write(to: path)
    } catch {
      complain(error)
    }
  }
}
