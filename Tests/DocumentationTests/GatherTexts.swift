import Junctor
import Synchronization
import Testing

// What the doc comment of Gather shows.
private enum FetchResult: Int, Sendable {
  case noData, newData
  static func better(_ a: FetchResult, _ b: FetchResult) -> FetchResult {
    a.rawValue > b.rawValue ? a : b
  }
}
private struct Message: Sendable {}
private final class Application {}

private final class Part {
  let answer: FetchResult
  init(_ answer: FetchResult) { self.answer = answer }
  func didReceive(_ message: Message, done: @Sendable (FetchResult) -> Void) { done(answer) }
}

private final class Delegate {
  let parts = [Part(.noData), Part(.newData)]

  func application(
    _ application: Application, didReceive message: Message,
    fetchCompletionHandler done: @escaping @Sendable (FetchResult) -> Void
  ) {
    let gather = Gather(
      fallback: .noData, timeLimit: .seconds(25), combine: FetchResult.better, completion: done)
    parts.forEach { $0.didReceive(message, done: gather.part("\(type(of: $0))")) }
    gather.close()
  }
}

@Suite struct `Texts about gathering` {
  @Test func `the better answer is given once`() {
    let results = Mutex<[FetchResult]>([])
    Delegate().application(Application(), didReceive: Message()) { result in
      results.withLock { $0.append(result) }
    }
    #expect(results.withLock { $0 } == [.newData])
  }
}
