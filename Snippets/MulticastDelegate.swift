// Multicast delegates: several objects want to be *the* delegate.
// snippet.show
import Junctor
import JunctorMacros

@Multicast
protocol PlayerDelegate: AnyObject {
  func playerDidStart(_ track: String)
  @Returns(.every, fallback: true) func mayPlay(_ track: String) -> Bool
}

extension PlayerDelegateMulticast: PlayerDelegate, Multicasting {}  // not for a public protocol

final class Logger: PlayerDelegate {
  func playerDidStart(_ track: String) { print("log:", track) }
  func mayPlay(_ track: String) -> Bool { true }
}
final class Guardian: PlayerDelegate {
  func playerDidStart(_ track: String) { print("guardian:", track) }
  func mayPlay(_ track: String) -> Bool { track != "Loud" }
}

let (all, logger, guardian) = (PlayerDelegateMulticast(), Logger(), Guardian())
all.add(guardian)  // held weakly; `all` is itself a PlayerDelegate
all.add(logger, before: guardian)
all.playerDidStart("Nocturne")
print(all.mayPlay("Loud"))
// snippet.hide

// Prints: log: Nocturne
// Prints: guardian: Nocturne
// Prints: false
