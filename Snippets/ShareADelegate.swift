// Let several objects be the delegate of one.
import Junctor
import JunctorMacros

/// Has one delegate.
public final class Player {
  /// Hears of the player.
  public weak var delegate: (any PlayerDelegate)?
  /// Has none yet.
  public init() {}
}
/// What is played.
public struct Track: Sendable {
  /// Its name.
  public var title: String
}

/// What a player tells and asks.
@Multicast
public protocol PlayerDelegate: AnyObject {
  /// It has begun.
  func playerDidStart(_ player: Player)
  /// Whether it may go on.
  @Returns(.every, fallback: true) func player(_ player: Player, mayPlay track: Track) -> Bool
  /// How loud.
  @Optional(fallback: 1.0) func preferredVolume(for track: Track) -> Double
}

final class List: PlayerDelegate {
  func playerDidStart(_ player: Player) { print("list: started") }
  func player(_ player: Player, mayPlay track: Track) -> Bool { track.title != "Loud" }
}

final class Logger: PlayerDelegate {
  func playerDidStart(_ player: Player) { print("logger: started") }
  func player(_ player: Player, mayPlay track: Track) -> Bool { true }
}

let (player, list, logger) = (Player(), List(), Logger())
let all = PlayerDelegateMulticast()
player.delegate = all
all.add(list)
all.add(logger, before: list)

player.delegate?.playerDidStart(player)
print(all.player(player, mayPlay: Track(title: "Loud")))
print(all.preferredVolume(for: Track(title: "Loud")))  // nobody implements it: the fallback

final class Amplifier: PlayerDelegate {
  func playerDidStart(_ player: Player) {}
  func player(_ player: Player, mayPlay track: Track) -> Bool { true }
  func preferredVolume(for track: Track) -> Double { 0.3 }
}

let newcomer = Amplifier()
print(all.add(newcomer).outcome)
print(all.responds(to: .preferredVolume), all.preferredVolume(for: Track(title: "Loud")))
all.remove(newcomer)
print(all.count)
withExtendedLifetime((list, logger)) {}

// Prints: logger: started
// Prints: list: started
// Prints: false
// Prints: 1.0
// Prints: added
// Prints: true 0.3
// Prints: 2
