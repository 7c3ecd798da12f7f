/// Those who wait for the same thing, in the order in which they came.
///
/// Numbers are given as tasks begin to wait and grow, so the places are in their order and one is found by halving. Who
/// leaves from the middle leaves an empty place; once these are the most, they go together.
package struct Waiters<Answer: Sendable>: Sendable {
  private struct Place: Sendable {
    var id: UInt64
    var resume: Resume<Answer>?
  }

  private var places: ContiguousArray<Place> = []
  // Places before this one are empty.
  private var head = 0

  /// How many wait.
  package private(set) var count = 0

  /// Makes an empty list.
  package init() {}

  /// Whether nobody waits.
  package var isEmpty: Bool { count == 0 }

  /// How many places it has, empty ones included. For tests.
  var placeCount: Int { places.count }

  /// Notes somebody.
  ///
  /// - Complexity: amortised O(1); O(k) behind k others who came earlier although their numbers are higher.
  package mutating func add(_ id: UInt64, _ resume: @escaping Resume<Answer>) {
    var place = places.count
    while place > head, places[place - 1].id > id { place -= 1 }
    places.insert(Place(id: id, resume: resume), at: place)
    count += 1
  }

  /// Takes one out, wherever it stands.
  ///
  /// - Complexity: amortised O(log n).
  package mutating func take(_ id: UInt64) -> Resume<Answer>? {
    var low = head
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle].id < id { low = middle + 1 } else { high = middle }
    }
    guard low < places.count, places[low].id == id, let resume = places[low].resume.take() else {
      return nil
    }
    count -= 1
    tidy()
    return resume
  }

  /// Takes out who came first.
  ///
  /// - Complexity: amortised O(1).
  package mutating func takeFirst() -> Resume<Answer>? {
    while head < places.count {
      let resume = places[head].resume.take()
      head += 1
      guard let resume else { continue }
      count -= 1
      tidy()
      return resume
    }
    return nil
  }

  /// Takes everybody out.
  ///
  /// - Complexity: O(n).
  package mutating func takeAll() -> [Resume<Answer>] {
    guard count > 0 else { return [] }
    let all = places[head...].compactMap(\.resume)
    self = Waiters()
    return all
  }

  private mutating func tidy() {
    if count == 0 {
      // The memory of a few is kept for those who come next.
      places.removeAll(keepingCapacity: places.capacity <= 16)
      head = 0
    } else if places.count > 32, places.count > 2 * count {
      places = ContiguousArray(places[head...].lazy.filter { $0.resume != nil })
      head = 0
    }
  }
}
