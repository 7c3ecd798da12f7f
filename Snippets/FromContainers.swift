// Let a container of another make stand behind a set, and move one service after another.
import Junctor
import Synchronization

protocol TimeSource: Sendable { func now() -> Int }
struct SystemTime: TimeSource { func now() -> Int { 12 } }

/// A container as there are many.
final class OldContainer: Sendable {
  static let shared = OldContainer()
  private let objects = Mutex<[ObjectIdentifier: any Sendable]>([:])
  func register<P>(_ type: P.Type, _ object: any Sendable) {
    objects.withLock { $0[ObjectIdentifier(type)] = object }
  }
  func resolve<P>(_ type: P.Type, key: String?) -> P? {
    objects.withLock { $0[ObjectIdentifier(type)] } as? P
  }
}

struct Legacy: ServicesProvider {
  func service<P: Sendable>(_ type: P.Type, name: ServiceName?) throws -> P? {
    OldContainer.shared.resolve(type, key: name?.rawValue)
  }
}

OldContainer.shared.register((any TimeSource).self, SystemTime())
let app = Services("app", alternate: Legacy())
print(try app.require((any TimeSource).self).now())

// Prints: 12
