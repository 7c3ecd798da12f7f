import JunctorDelegates
import Synchronization

/// What a background fetch can end with, better ones later.
enum FetchResult: Int, Sendable {
  case noData
  case failed
  case newData

  @Sendable static func better(_ left: FetchResult, _ right: FetchResult) -> FetchResult {
    left.rawValue >= right.rawValue ? left : right
  }
}

/// The delegate of an application, as a system would declare it.
protocol ApplicationDelegate: AnyObject {
  func applicationDidBecomeActive(_ application: Application)
  func application(
    _ application: Application, didReceive message: String,
    fetchCompletionHandler done: @escaping @Sendable (FetchResult) -> Void)
}

/// A small application: has one delegate, and counts how often its completion handlers are called.
final class Application {
  weak var delegate: (any ApplicationDelegate)?
  let results = Log()

  func becomeActive() { delegate?.applicationDidBecomeActive(self) }

  func receive(_ message: String) {
    delegate?.application(self, didReceive: message) { [results] in results("\($0)") }
  }
}

/// The delegate that the application has: several parts share it.
final class Composition: ApplicationDelegate {
  let parts = MulticastList<any ApplicationDelegate>()
  let timer: ManualTimer

  init(timer: ManualTimer) { self.timer = timer }

  func applicationDidBecomeActive(_ application: Application) {
    parts.forEach { $0.applicationDidBecomeActive(application) }
  }

  func application(
    _ application: Application, didReceive message: String,
    fetchCompletionHandler done: @escaping @Sendable (FetchResult) -> Void
  ) {
    let gather = Gather(
      fallback: .noData, timeLimit: .seconds(25), timer: timer.start, combine: FetchResult.better,
      completion: done)
    parts.forEach { part in
      let name = (part as? Part)?.name ?? "part"
      part.application(
        application, didReceive: message, fetchCompletionHandler: gather.part(name))
    }
    gather.close()
  }
}

/// One of several objects that share the delegate's place.
final class Part: ApplicationDelegate {
  typealias Done = @Sendable (FetchResult) -> Void

  let name: String
  let answer: FetchResult?
  var isActive = false
  /// A handler that is kept to be called later.
  var later: Done?

  /// Makes a part that answers at once, or keeps its handler.
  init(_ name: String, _ answer: FetchResult?) {
    self.name = name
    self.answer = answer
  }

  func applicationDidBecomeActive(_ application: Application) { isActive = true }

  func application(
    _ application: Application, didReceive message: String,
    fetchCompletionHandler done: @escaping Done
  ) {
    if let answer { done(answer) } else { later = done }
  }
}

/// A timer that runs when the test says so.
final class ManualTimer: Sendable {
  private let state = Mutex<[(Duration, GatherWork)]>([])

  /// How many wait.
  var count: Int { state.withLock { $0.count } }

  @Sendable func start(
    _ limit: Duration, _ work: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let item = GatherWork(work)
    state.withLock { $0.append((limit, item)) }
    return { item.cancel() }
  }

  /// Lets the time of all go by.
  func fire() {
    let due = state.withLock { items in
      defer { items = [] }
      return items
    }
    for (_, item) in due { item.run() }
  }
}

/// What the manual timer keeps: done once or called off.
final class GatherWork: Sendable {
  private let state: Mutex<(@Sendable () -> Void)?>
  init(_ work: @escaping @Sendable () -> Void) { state = Mutex(work) }
  func run() { state.withLock { $0.take() }?() }
  func cancel() { _ = state.withLock { $0.take() } }
}
