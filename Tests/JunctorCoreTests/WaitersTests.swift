import JunctorTesting
import Synchronization
import Testing

@testable import JunctorCore

@Suite struct WaitersTests {
  @Test func `whoever came first is told first, whoever leaves is forgotten`() {
    var waiters = Waiters<Int>()
    let told = Mutex<[UInt64]>([])
    var model: [UInt64] = []
    var random = SplitMix(seed: 10)
    var next: UInt64 = 0
    func resume(_ id: UInt64) -> Resume<Int> { { _ in told.withLock { $0.append(id) } } }
    for _ in 0..<20_000 {
      switch random.next(below: 8) {
      case 0...3:
        next += 2
        // Two that came at the same time may stand the other way round.
        for id in random.next(below: 4) == 0 ? [next + 1, next] : [next] {
          waiters.add(id, resume(id))
          model.append(id)
        }
        next += 2
        model.sort()
      case 4: waiters.takeFirst()?(0)
      case 5 where !model.isEmpty:
        let id = model[random.next(below: model.count)]
        #expect(waiters.take(id) != nil)
        #expect(waiters.take(id) == nil)
        model.removeAll { $0 == id }
        continue
      case 6 where random.next(below: 50) == 0:
        for resume in waiters.takeAll() { resume(0) }
      default: #expect(waiters.take(next + 7) == nil)
      }
      let gone = told.withLock { told in
        defer { told = [] }
        return told
      }
      #expect(Array(model.prefix(gone.count)) == gone)
      model.removeFirst(gone.count)
      #expect(waiters.count == model.count && waiters.isEmpty == model.isEmpty)
      #expect(waiters.placeCount <= max(64, 2 * model.count + 8))
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `of two hundred thousand any may leave at any time`() {
    var waiters = Waiters<Int>()
    for id in 1...200_000 { waiters.add(UInt64(id), { _ in }) }
    // From the front, where a list that moves up costs most.
    for id in 1...199_999 { #expect(waiters.take(UInt64(id)) != nil) }
    #expect(waiters.count == 1)
    #expect(waiters.takeFirst() != nil && waiters.takeFirst() == nil)
  }

  @Test func `a ring buffer gives out what fits, wherever it stands`() {
    var random = SplitMix(seed: 4)
    for _ in 0..<200 {
      var ring = RingBuffer<Int>()
      var model: [Int] = []
      for number in 0..<random.next(below: 100) {
        ring.append(number)
        model.append(number)
        if random.next(below: 3) == 0 { #expect(ring.popFirst() == model.removeFirst()) }
      }
      let wanted = random.next(below: 100)
      let index = model.lastIndex { $0 % 7 == wanted % 7 }
      #expect(ring.takeLast { $0 % 7 == wanted % 7 } == index.map { model.remove(at: $0) })
      #expect(ring.elements == model && ring.count == model.count)
      #expect(ring.takeAll { $0 % 2 == 0 } == model.filter { $0 % 2 == 0 })
      #expect(ring.elements == model.filter { $0 % 2 == 1 })
    }
  }
}
