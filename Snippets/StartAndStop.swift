// Start what a server needs in order, and stop it the other way round.
import Junctor

final class Database: ServiceStarting, ServiceClosing {
  func start() async throws { print("database opened") }
  func close() async throws { print("database closed") }
}

final class Router: ServiceStarting, ServiceClosing {
  let database: Database
  init(database: Database) { self.database = database }
  func start() async throws { print("router listens") }
  func close() async throws { print("router closed") }
}

let app = Services("server")
app.provide(Database.self) { _ in Database() }
app.provide(Router.self, needs: [ServiceKey(Database.self)]) { services in
  Router(database: try services.require(Database.self))
}
try app.validate()
try await app.start()
try await app.close(within: .seconds(10))

do {
  _ = try app.require(Database.self)
} catch let error as ServiceError {
  print(error.code)
}

// Prints: database opened
// Prints: router listens
// Prints: router closed
// Prints: database closed
// Prints: closed
