internal import CJunctorCore
public import JunctorCore
internal import Synchronization

/// A set of channels. Channels of different exchanges never meet, whatever their names.
///
/// Most programs use the shared one. An exchange lives as long as anybody holds it, a channel of it, or listens in it.
///
/// ## Concurrency
/// May be used from any thread, from listeners and from `deinit`. Knows its channels weakly and no owner at all.
public final class Exchange: Sendable {
  /// What the exchange is called in dumps and pictures.
  public let label: String

  /// Where it was made.
  public let site: SourceSite

  /// The topics by name.
  let state = Mutex(ExchangeState())
  /// The listeners of patterns.
  let patterns = OrderedList()
  /// Those who watch every post.
  let taps = OrderedList()
  /// What is watched, if anything is.
  let observation = Mutex<Observation?>(nil)
  /// Its number among what reports to the wiring.
  let wiringID = Mutex<UInt64>(0)

  /// The exchange that the whole process shares, outside any scope.
  static let process = Exchange(label: "shared")

  /// Makes an exchange of its own.
  ///
  /// - Parameters:
  ///   - label: what it is called in dumps and pictures.
  ///   - fileID: where it is made.
  ///   - line: where it is made.
  /// - Complexity: O(1).
  public init(label: String = "exchange", fileID: StaticString = #fileID, line: UInt = #line) {
    self.label = label
    site = SourceSite(fileID: fileID, line: line)
    let id = WiringRegistry.add(self)
    wiringID.withLock { $0 = id }
    if WiringHistory.isOn { historyDidChange() }
  }

  deinit { WiringRegistry.remove(wiringID.withLock { $0 }) }

  /// The exchange that is used where none is named: the process's own, or the task's scope's.
  ///
  /// - Complexity: O(1).
  public static var shared: Exchange { ExchangeScope.current ?? process }
}

extension Exchange: CustomStringConvertible {
  /// The label; see `dump()` for what is in it.
  public var description: String { "exchange '\(label)'" }
}

extension Exchange: Hashable {
  /// Whether both are the same exchange.
  public static func == (left: Exchange, right: Exchange) -> Bool { left === right }

  /// Hashes the exchange's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
