internal import JunctorChannels
internal import JunctorCore
internal import Synchronization

/// What both halves of a bridge know.
///
/// ## Concurrency
/// Constant, but for what was reported.
final class BridgePlan: Sendable {
  /// The engine.
  let engine: any BridgeEngine
  /// What is promised.
  let promise: BridgePromise
  /// What was asked for beyond that.
  let options: BridgeOptions
  /// The subject, or the pattern of subjects.
  let subject: BridgeSubject
  /// The channel's name, or the pattern.
  let name: String
  /// The message type's name.
  let type: String
  /// Where it was made.
  let site: SourceSite
  /// Names this process and exchange.
  let home: String
  /// Names this bridge.
  let origin: String
  private let reported = Mutex<Set<BridgeError.Code>>([])
  private let latest = Mutex<BridgeError?>(nil)

  /// Notes what is known.
  init(
    engine: any BridgeEngine, promise: BridgePromise, options: BridgeOptions,
    subject: BridgeSubject, name: String, type: String, exchange: Exchange, site: SourceSite
  ) throws(BridgeError) {
    try options.check(promise)
    self.engine = engine
    self.promise = promise
    self.options = options
    self.subject = subject
    self.name = name
    self.type = options.typeName ?? type
    self.site = site
    home = "\(Self.process).\(exchange.number)"
    origin = "\(home).\(Identifier.next())"
  }

  /// Names this process: 64 bits from the system's generator.
  private static let process = String(UInt64.random(in: .min ... .max), radix: 36)

  /// What it is called in dumps and pictures.
  var label: String { "\(name) ⇄ \(engine.label)" }

  /// Whether an origin is of this process and exchange.
  func isOwn(_ origin: String) -> Bool { origin.hasPrefix(home + ".") }

  /// The last thing that went wrong.
  var lastError: BridgeError? { latest.withLock { $0 } }

  /// Notes that something went wrong, and says so the first time, or each time where each has a cause of its own.
  func note(_ error: BridgeError, eachTime: Bool = false) {
    latest.withLock { $0 = error }
    if WiringHistory.isOn { WiringHistory.record(.failure, name, site: site) }
    let isNews = reported.withLock { $0.insert(error.code).inserted }
    guard isNews || eachTime else { return }
    Junctor.report(
      Diagnostic(Diagnostic.Code(error.code.description), error.message, sites: [site]))
  }
}
