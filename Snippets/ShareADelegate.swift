// Let several objects be the delegate of one.
import Junctor
import JunctorMacros

public final class Player {
  public weak var delegate: (any PlayerDelegate)?
  public init() {}
}
public struct Track: Sendable { public var title: String }

@Multicast
public protocol PlayerDelegate: AnyObject {
  func playerDidStart(_ player: Player)
  @Returns(.every, fallback: true) func player(_ player: Player, mayPlay track: Track) -> Bool
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
