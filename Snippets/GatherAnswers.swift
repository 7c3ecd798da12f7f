// Answer once for many: one completion handler, several parts.
import Junctor

enum FetchResult: Int, Sendable {
  case failed, noData, newData
  static func better(_ a: FetchResult, _ b: FetchResult) -> FetchResult {
    a.rawValue > b.rawValue ? a : b
  }
}
struct Message: Sendable {}
final class Application {}

protocol ApplicationPart: AnyObject {
  func application(
    _ application: Application, didReceive message: Message,
    fetchCompletionHandler done: @escaping @Sendable (FetchResult) -> Void)
}

final class Mail: ApplicationPart {
  func application(
    _ application: Application, didReceive message: Message,
    fetchCompletionHandler done: @escaping @Sendable (FetchResult) -> Void
  ) { done(.newData) }
}

final class News: ApplicationPart {
  func application(
    _ application: Application, didReceive message: Message,
    fetchCompletionHandler done: @escaping @Sendable (FetchResult) -> Void
  ) { done(.noData) }
}

final class Delegate {
  let parts: [any ApplicationPart] = [Mail(), News()]

  func application(
    _ application: Application, didReceive message: Message,
    fetchCompletionHandler done: @escaping @Sendable (FetchResult) -> Void
  ) {
    let gather = Gather(
      fallback: .noData, timeLimit: .seconds(25), combine: FetchResult.better,
      completion: done)
    parts.forEach {
      $0.application(
        application, didReceive: message,
        fetchCompletionHandler: gather.part("\(type(of: $0))"))
    }
    gather.close()
  }
}

Delegate().application(Application(), didReceive: Message()) { print($0) }

// Prints: newData
