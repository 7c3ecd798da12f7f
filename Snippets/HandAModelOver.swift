// Hand the next screen what it needs.
import Junctor
import JunctorMacros

struct Place: Sendable { var name: String }

@DataReceiver
final class MapScreen {
  private(set) var isReady = false

  func tilesHaveLoaded() {
    isReady = true
    becomeReady()
  }

  func prepare(with place: Place?) { print("map of", place?.name ?? "nowhere") }
}

let map = MapScreen()
map.handOver(Place(name: "Oslo"))
map.handOver(Place(name: "Rome"))  // by default the latest counts
print(map.pendingHandovers, "waiting")
map.tilesHaveLoaded()

final class Window: ReceiverContainer {
  var screens: [AnyObject] = []
  let handoverShelf: HandoverShelf? = HandoverShelf()
  var receiverChildren: [AnyObject] { screens }
}

let window = Window()
do {
  try Handover.deliver(Place(name: "Bonn"), to: window)
} catch {
  print(error.code)
}
try Handover.leave(Place(name: "Bonn"), with: window)  // waits until a receiver is there
window.screens = [map]
window.receiversArrived()

print(Handover.canDeliver(3, to: window))

// Prints: 1 waiting
// Prints: map of Rome
// Prints: noReceiver
// Prints: map of Bonn
// Prints: false
