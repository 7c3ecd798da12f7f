// Hear of misuse where the application logs.
import Junctor
import Synchronization

let log = Mutex<[String]>([])
Junctor.diagnostics = { diagnostic in
  log.withLock { $0.append("\(diagnostic.code)") }
}

let services = Services("app")
services.provide(String.self) { _ in "one" }
services.provide(String.self) { _ in "two" }
print(log.withLock { $0 })

let codes = Mutex<[Diagnostic.Code]>([])
Junctor.withDiagnostics({ diagnostic in codes.withLock { $0.append(diagnostic.code) } }) {
  let gold = Channel<Int>("gold", options: ChannelOptions(requiresListener: true))
  gold.post(3)
}
print(codes.withLock { $0 == [.nobodyListens] })

// Prints: ["services.duplicate"]
// Prints: true
