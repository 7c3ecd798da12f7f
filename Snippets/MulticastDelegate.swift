// Multicast delegates: several objects want to be *the* delegate.
import Junctor

// snippet.show
protocol PlayerDelegate: AnyObject {
  func playerDidStart(_ track: String)
  func mayPlay(_ track: String) -> Bool
}

final class PlayerDelegates: PlayerDelegate {  // @Multicast writes this class
  let targets = MulticastList<any PlayerDelegate>()
  func playerDidStart(_ track: String) { targets.forEach { $0.playerDidStart(track) } }
  func mayPlay(_ track: String) -> Bool { targets.every { $0.mayPlay(track) } ?? true }
}

final class Logger: PlayerDelegate {
  func playerDidStart(_ track: String) { print("log:", track) }
  func mayPlay(_ track: String) -> Bool { true }
}

final class Guardian: PlayerDelegate {
  func playerDidStart(_ track: String) { print("guardian:", track) }
  func mayPlay(_ track: String) -> Bool { track != "Loud" }
}

let (all, logger, guardian) = (PlayerDelegates(), Logger(), Guardian())
all.targets.add(guardian)  // held weakly
all.targets.add(logger, before: guardian)
all.playerDidStart("Nocturne")
print(all.mayPlay("Loud"))
// snippet.hide

// Prints: log: Nocturne
// Prints: guardian: Nocturne
// Prints: false
