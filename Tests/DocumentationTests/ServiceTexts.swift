import Junctor
import JunctorTesting
import Testing

// What the articles and the doc comments about services show.
private protocol TimeSource: Sendable { func now() -> Int }
private protocol Analytics: Sendable {}
private protocol Session: Sendable {}
private protocol Store: Sendable {}
private protocol Reading: Sendable {}
private protocol Writing: Sendable {}
private struct SystemTime: TimeSource { func now() -> Int { 12 } }
private struct Reporter: Analytics { let source: any TimeSource }
private struct Token: Session {}
private final class FileStore: Store, Reading, Writing {}

extension ServiceName {
  fileprivate static let archive: ServiceName = "archive"
}

extension ServiceScope {
  fileprivate static let request: ServiceScope = "request"
}

private struct Reader {
  @Injected var time: any TimeSource
  @Injected(name: .archive) var store: any Store
}

private func lookUp() async throws {
  let app = Services("app")
  app.set((any TimeSource).self, to: SystemTime())
  app.provide((any Analytics).self) { services in
    Reporter(source: try services.require((any TimeSource).self))
  }

  app.provide((any Session).self) { _ in
    await Task.yield()
    return Token()
  }

  let screen = Services("profile", alternate: app)
  let analytics = screen[(any Analytics).self]
  let required = try screen.require((any Analytics).self)
  let session = try await screen.resolve((any Session).self)
  #expect(analytics != nil && required is Reporter && session is Token)
}

private func first() throws {
  let app = Services("app")
  app.set((any TimeSource).self, to: SystemTime())
  app.provide((any Analytics).self) { services in
    Reporter(source: try services.require((any TimeSource).self))
  }
  let screen = Services("profile", alternate: app)
  let analytics = screen[(any Analytics).self]
  #expect(analytics != nil)
}

@Suite struct `Texts about services` {
  @Test func `what a parent provides is found from its child`() async throws {
    try first()
    try await lookUp()
  }

  @Test func `injected properties find the set in which their owner was made`() throws {
    let app = Services("app")
    app.set((any TimeSource).self, to: SystemTime())
    app.set((any Store).self, name: .archive, to: FileStore())
    let reader = withServices(app) { Reader() }
    #expect(reader.time.now() == 12 && reader.store is FileStore)
  }

  @Test func `one object is found under several protocols`() throws {
    let services = Services("app")
    services.provide(FileStore.self) { _ in FileStore() }
    services.alias((any Reading).self, to: FileStore.self) { $0 }
    services.alias((any Writing).self, to: FileStore.self) { $0 }
    let reading = try services.require((any Reading).self) as? FileStore
    #expect(try services.require((any Writing).self) as? FileStore === reading)
  }

  @Test func `a scope is named once`() {
    let app = Services("app")
    let request = Services("request", alternate: app, scope: .request)
    #expect(request.scope == .request)
  }
}
