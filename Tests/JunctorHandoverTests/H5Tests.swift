import JunctorCore
import Testing

@testable import JunctorHandover

/// A container that reports what it waits for when it goes, and is inside another.
final class Folder: ReceiverContainer {
  var receiverChildren: [AnyObject] = []
  weak var receiverParent: AnyObject?
  let shelf = HandoverShelf()
  var handoverShelf: HandoverShelf? { shelf }

  func add(_ child: AnyObject) {
    receiverChildren.append(child)
    (child as? Folder)?.receiverParent = self
    receiversArrived()
  }
}

@Suite struct `H5 containers` {
  @Test func `H5 the one receiver inside is found however deep`() throws {
    let receiver = Stored<Int>()
    let root = Box(Box(Log(), Box(Stored<String>(), receiver)))
    #expect(try Handover.deliver(5, to: root) === receiver)
    #expect(receiver.prepared == [5])
  }

  @Test func `H5 the search goes breadth first`() {
    let deep = Stored<Int>()
    let shallow = Stored<Int>()
    let found = Handover.receivers(in: Box(Box(deep), shallow))
    #expect(found.count == 2)
    #expect(found.first === shallow)
    #expect(found.last === deep)
  }

  @Test func `H5 cycles are tolerated and each receiver counts once`() throws {
    let receiver = Stored<Int>()
    let first = Box(receiver)
    let second = Box(first, receiver)
    first.receiverChildren.append(second)
    second.receiverChildren.append(second)
    defer { first.receiverChildren = [] }
    #expect(try Handover.deliver(1, to: second) === receiver)
    #expect(receiver.prepared == [1])
    second.receiverChildren = []
  }

  @Test func `H5 more than one candidate is an error that lists them`() {
    let first = Stored<Int>()
    let second = Queued<Int>()
    do throws(HandoverError) {
      try Handover.deliver(1, to: Box(first, Box(second)))
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.code == .ambiguous)
      #expect(error.receivers == ["Stored<Int> (takes Int)", "Queued<Int> (takes Int)"])
      #expect(error.message.contains("Hand it to the one that is meant."))
    }
    #expect(first.prepared.isEmpty)
    #expect(second.pendingHandovers == 0)
  }

  @Test func `H5 a container may be a receiver itself`() throws {
    final class Both: DataReceiver, ReceiverContainer {
      var receiverChildren: [AnyObject] = []
      var seen: Int?
      func prepare(with model: Int?) { seen = model }
    }
    let both = Both()
    both.receiverChildren = [Stored<String>()]
    try Handover.deliver(4, to: both)
    #expect(both.seen == 4)
  }

  @Test func `H5 a model waits with the container for a child that does not exist yet`() throws {
    let folder = Folder()
    #expect(try Handover.leave(7, with: folder) == nil)
    #expect(folder.waitingHandovers == 1)
    folder.add(Stored<String>())
    #expect(folder.waitingHandovers == 1)
    let receiver = Stored<Int>()
    folder.add(receiver)
    #expect(receiver.prepared == [7])
    #expect(folder.waitingHandovers == 0)
    folder.add(Stored<Double>())
    #expect(receiver.prepared == [7])
  }

  @Test func `H5 what is there already gets it at once`() throws {
    let receiver = Stored<Int>()
    #expect(try Handover.leave(7, with: Box(receiver)) === receiver)
    #expect(receiver.prepared == [7])
  }

  @Test func `H5 a child further inside is found as well`() throws {
    let outer = Folder()
    let inner = Folder()
    outer.add(inner)
    try Handover.leave(7, with: outer)
    let receiver = Stored<Int>()
    inner.add(receiver)
    #expect(receiver.prepared == [7])
  }

  @Test func `H5 several that wait arrive in order`() throws {
    let folder = Folder()
    for number in 1...3 { try Handover.leave(number, with: folder) }
    let receiver = Queued<Int>()
    receiver.isReady = true
    folder.add(receiver)
    #expect(receiver.prepared == [1, 2, 3])
  }

  @Test func `H5 a child that arrives while another is prepared is found`() throws {
    let folder = Folder()
    try Handover.leave(1, with: folder)
    try Handover.leave("x", with: folder)
    let first = Stored<Int>()
    let second = Stored<String>()
    first.onPrepare = { [unowned folder] _ in folder.add(second) }
    folder.add(first)
    #expect(second.prepared == ["x"])
  }

  @Test func `H5 what waits without a shelf of the container's waits in the table`() throws {
    let box = Box()
    try Handover.leave(1, with: box)
    #expect(box.waitingHandovers == 1)
    let receiver = Stored<Int>()
    box.receiverChildren = [receiver]
    box.receiversArrived()
    #expect(receiver.prepared == [1])
  }

  @Test func `H5 two children that take it are reported once and it waits on`() throws {
    let reports = Reports()
    try Junctor.withDiagnostics(reports.add) {
      let folder = Folder()
      try Handover.leave(1, with: folder)
      folder.receiverChildren = [Stored<Int>(), Stored<Int>()]
      folder.receiversArrived()
      folder.receiversArrived()
      #expect(reports.codes == [.handoverAmbiguous])
      folder.receiverChildren.removeLast()
      folder.receiversArrived()
      #expect(folder.waitingHandovers == 0)
    }
  }

  @Test func `H5 only a container can have something left with it`() {
    #expect(throws: HandoverError.self) { try Handover.leave(1, with: Log()) }
    #expect(throws: HandoverError.self) { try Handover.leave("x", with: Stored<Int>()) }
  }

  @Test func `H10 what waits with a container is reported when that goes`() throws {
    let reports = Reports()
    try Junctor.withDiagnostics(reports.add) {
      let folder = Folder()
      try Handover.leave(1, with: folder)
    }
    #expect(reports.codes == [.handoverNeverArrived])
    #expect(reports.all.first?.message.hasPrefix("Can't hand over 'Int' to 'Folder': ") == true)
    #expect(reports.all.first?.sites.first?.fileID == "JunctorHandoverTests/H5Tests.swift")
  }
}
