// The same with a multicast delegate written by hand, and with a list.
import Junctor

protocol PlayerDelegate: AnyObject {
  func playerDidStart(_ track: String)
  func mayPlay(_ track: String) -> Bool
}

final class OldMulticast: PlayerDelegate {
  private struct Weak { weak var target: (any PlayerDelegate)? }
  private var targets: [Weak] = []

  func add(_ target: any PlayerDelegate) { targets.append(Weak(target: target)) }

  func playerDidStart(_ track: String) {
    for entry in targets { entry.target?.playerDidStart(track) }
  }
  func mayPlay(_ track: String) -> Bool {
    targets.compactMap(\.target).allSatisfy { $0.mayPlay(track) }  // stops at the first `false`
  }
}

final class NewMulticast: PlayerDelegate {
  let targets = MulticastList<any PlayerDelegate>()

  func playerDidStart(_ track: String) { targets.forEach { $0.playerDidStart(track) } }
  func mayPlay(_ track: String) -> Bool { targets.every { $0.mayPlay(track) } ?? true }
}

final class Logger: PlayerDelegate {
  func playerDidStart(_ track: String) { print("started", track) }
  func mayPlay(_ track: String) -> Bool { track != "Loud" }
}

let (old, new, logger) = (OldMulticast(), NewMulticast(), Logger())
old.add(logger)
new.targets.add(logger)
old.playerDidStart("Nocturne")
new.playerDidStart("Nocturne")
print(old.mayPlay("Loud"), new.mayPlay("Loud"))
withExtendedLifetime(logger) {}

// Prints: started Nocturne
// Prints: started Nocturne
// Prints: false false
