/// A first-in, first-out buffer with constant cost at both ends, which gives its memory back after a crowd.
package struct RingBuffer<Element> {
  private var storage: ContiguousArray<Element?> = []
  private var head = 0
  /// How many elements there are.
  package private(set) var count = 0

  /// Makes an empty buffer.
  package init() {}

  /// Whether there is no element.
  package var isEmpty: Bool { count == 0 }

  /// Adds an element behind the others.
  ///
  /// - Complexity: amortised O(1).
  package mutating func append(_ element: consuming Element) {
    if count == storage.count { resize(to: max(4, 2 * storage.count)) }
    storage[(head + count) & (storage.count - 1)] = element
    count += 1
  }

  /// Takes the first element out, if there is one.
  ///
  /// - Complexity: amortised O(1).
  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = storage[head].take()
    head = (head + 1) & (storage.count - 1)
    count -= 1
    // A quarter, not a half, so that a crowd that comes and goes at the edge does not resize every time.
    if storage.count > 64, count < storage.count / 4 { resize(to: storage.count / 2) }
    return element
  }

  /// The element at a place, counted from the first one.
  ///
  /// - Complexity: O(1).
  package subscript(index: Int) -> Element {
    guard index >= 0, index < count,
      let element = storage[(head + index) & (storage.count - 1)]
    else { preconditionFailure("No element \(index) among \(count).") }
    return element
  }

  /// The elements in order.
  ///
  /// - Complexity: O(n).
  package var elements: [Element] { (0..<count).map { self[$0] } }

  /// Takes the last element out that fits.
  ///
  /// - Complexity: O(k), where it stands k places from the end.
  package mutating func takeLast(where fits: (Element) -> Bool) -> Element? {
    (0..<count).last { fits(self[$0]) }.flatMap { take(at: $0) }
  }

  /// Takes the element at a place out, counted from the first one, if there is such a place.
  ///
  /// - Complexity: O(k), where it stands k places from the nearer end.
  package mutating func take(at index: Int) -> Element? {
    guard index > 0 else { return index == 0 ? popFirst() : nil }
    guard index < count else { return nil }
    let mask = storage.count - 1
    if index < count / 2 {
      for place in stride(from: index, to: 0, by: -1) {
        storage.swapAt((head + place) & mask, (head + place - 1) & mask)
      }
      return popFirst()
    }
    for place in index..<(count - 1) {
      storage.swapAt((head + place) & mask, (head + place + 1) & mask)
    }
    count -= 1
    return storage[(head + count) & mask].take()
  }

  /// Takes every element out that fits.
  ///
  /// - Complexity: O(n).
  package mutating func takeAll(where fits: (Element) -> Bool) -> [Element] {
    var taken: [Element] = []
    var kept = RingBuffer()
    while let element = popFirst() {
      if fits(element) { taken.append(element) } else { kept.append(element) }
    }
    self = kept
    return taken
  }

  private mutating func resize(to capacity: Int) {
    var moved: ContiguousArray<Element?> = []
    moved.reserveCapacity(capacity)
    for index in 0..<count { moved.append(storage[(head + index) & (storage.count - 1)]) }
    for _ in count..<capacity { moved.append(nil) }
    storage = moved
    head = 0
  }
}
