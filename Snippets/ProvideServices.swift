// Provide services, and look them up by protocol.
import Junctor

protocol Clock: Sendable { func now() -> Int }
protocol Store: Sendable { var path: String { get } }
protocol Analytics: Sendable { func note(_ text: String) }
protocol Format: Sendable { var suffix: String { get } }

struct SystemClock: Clock { func now() -> Int { 1_200 } }
final class FileStore: Store { let path: String; init(_ path: String) { self.path = path } }
struct Reporter: Analytics {
  let clock: any Clock
  func note(_ text: String) { print("\(clock.now()): \(text)") }
}
struct Plain: Format { let suffix: String }

extension ServiceName { static let archive: ServiceName = "archive" }

let app = Services("app")
app.set((any Clock).self, to: SystemClock())
app.provide((any Analytics).self, needs: [ServiceKey((any Clock).self)]) { services in
  Reporter(clock: try services.require((any Clock).self))
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
// Prints: 1200: read
// Prints: missing
