import Junctor
import Testing

// What the article on starting and shutting down shows.
private final class Pool: Sendable {
  func open() async throws {}
  func drain() async {}
}

private final class Database: ServiceStarting, ServiceClosing {
  func start() async throws { try await pool.open() }
  func close() async throws { await pool.drain() }
}

extension Database { fileprivate var pool: Pool { Pool() } }

private protocol MessageBus: Sendable { func disconnect() async }
private struct Bus: MessageBus { func disconnect() async {} }
private protocol Router: Sendable {}
private struct HTTPRouter: Router { let database: Database }

private protocol User: Sendable { var name: String { get } }
private struct Account: User { let name: String }
private struct Request: Sendable { var user: any User }
private struct Response: Sendable { var text: String }

extension ServiceScope { fileprivate static let request: ServiceScope = "request" }

private func untilToldToStop() async {}
private func respond(to request: Request) async throws -> Response {
  Response(text: try Services.current?.require((any User).self).name ?? "nobody")
}

private func serve() async throws {
  let app = Services("server")
  app.provide(Database.self) { _ in Database() }
  app.provide((any Router).self) { services in
    HTTPRouter(database: try services.require(Database.self))
  }
  try app.validate()
  try await app.start()
  await untilToldToStop()
  try await app.close(within: .seconds(10))
}

private struct Server {
  let app = Services("app")

  func handle(_ request: Request) async throws -> Response {
    let services = Services("request", alternate: app, scope: .request)
    services.set((any User).self, to: request.user)
    let response = try await withServices(services) { try await respond(to: request) }
    try await services.close()
    return response
  }
}

@Suite struct `Texts about servers` {
  @Test func `a server starts and stops`() async throws { try await serve() }

  @Test func `a request has a set of its own`() async throws {
    let response = try await Server().handle(Request(user: Account(name: "Ada")))
    #expect(response.text == "Ada")
  }

  @Test func `an object of somebody else's is closed from outside`() async throws {
    let app = Services("server")
    app.provide((any MessageBus).self) { _ in Bus() }
    app.onClose((any MessageBus).self) { bus in await bus.disconnect() }
    _ = try app.require((any MessageBus).self)
    try await app.close()
    #expect(app.isClosed)
  }
}
