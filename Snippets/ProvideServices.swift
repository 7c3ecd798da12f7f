// Provide services, and look them up by protocol.
import Junctor

protocol TimeSource: Sendable { func now() -> Int }
protocol Store: Sendable { var path: String { get } }
protocol Analytics: Sendable { func note(_ text: String) }
protocol Format: Sendable { var suffix: String { get } }

struct SystemTime: TimeSource { func now() -> Int { 1_200 } }
final class FileStore: Store { let path: String; init(_ path: String) { self.path = path } }
struct Reporter: Analytics {
  let source: any TimeSource
  func note(_ text: String) { print("\(source.now()): \(text)") }
}
struct Plain: Format { let suffix: String }

struct Account: Sendable {
  let user: String
  static func signIn() async throws -> Account { Account(user: "Ada") }
}
@MainActor final class Window { let title = "News" }

extension ServiceName { static let archive: ServiceName = "archive" }

let app = Services("app")
app.set((any TimeSource).self, to: SystemTime())
app.provide((any Analytics).self, needs: [ServiceKey((any TimeSource).self)]) { services in
  Reporter(source: try services.require((any TimeSource).self))
}
app.provide((any Store).self) { _ in FileStore("/news") }
app.provide((any Store).self, name: .archive) { _ in FileStore("/old") }
app.provide((any Format).self, argument: String.self) { _, suffix in Plain(suffix: suffix) }

try app.validate()
try app.require((any Analytics).self).note("started")
print(app[(any Store).self]?.path ?? "", app[(any Store).self, name: .archive]?.path ?? "")
print(try app.require((any Format).self, argument: "txt").suffix)

app.contribute((any Format).self) { _ in Plain(suffix: "html") }
app.contribute((any Format).self, priority: 1) { _ in Plain(suffix: "epub") }
print(try app.all((any Format).self).map(\.suffix))

app.provide(Account.self) { _ in try await Account.signIn() }
app.provideOnMainActor(Window.self) { _ in Window() }
let account = try await app.resolve(Account.self)  // waits for the provider
let window = try app.requireOnMainActor(Window.self)  // at once, for who is on the main actor
print(account.user, window.title)

struct Reader {
  @Injected var analytics: any Analytics
}
withServices(app) { Reader() }.analytics.note("read")

do {
  _ = try app.require((any Sequence<Int> & Sendable).self)
} catch let error as ServiceError {
  print(error.code)
}

// Prints: 1200: started
// Prints: /news /old
// Prints: txt
// Prints: ["epub", "html"]
// Prints: Ada News
// Prints: 1200: read
// Prints: missing
