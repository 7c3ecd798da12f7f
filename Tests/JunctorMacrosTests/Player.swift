public import JunctorMacros
import Synchronization

/// What was called, in order.
final class Log: Sendable {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }
  func callAsFunction(_ line: String) { state.withLock { $0.append(line) } }
  func clear() { state.withLock { $0 = [] } }
}

struct Mishap: Error, Equatable {
  var number: Int
}

/// The protocol of the documentation.
@Multicast
public protocol PlayerDelegate: AnyObject {
  /// Playing has begun.
  func playerDidStart(_ player: String)
  @Returns(.every, fallback: true) func player(_ player: String, mayPlay track: Int) -> Bool
  @Optional(fallback: 1.0) func preferredVolume(for track: Int) -> Double
}

class Listener: PlayerDelegate {
  let name: String
  let log: Log
  var mayPlay = true

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
  }

  func playerDidStart(_ player: String) { log("\(name) \(player)") }

  func player(_ player: String, mayPlay track: Int) -> Bool {
    log("\(name) may \(track)")
    return mayPlay
  }
}

final class LoudListener: Listener {
  func unrelated() {}
}

final class VolumeListener: PlayerDelegate {
  let volume: Double
  init(_ volume: Double) { self.volume = volume }
  func playerDidStart(_ player: String) {}
  func player(_ player: String, mayPlay track: Int) -> Bool { true }
  func preferredVolume(for track: Int) -> Double { volume }
}
