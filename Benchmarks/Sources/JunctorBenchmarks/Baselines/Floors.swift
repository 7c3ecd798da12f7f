import Synchronization

/// What a hand-written loop calls.
protocol Listener: AnyObject {
  /// Hears one message.
  func hear(_ value: Int)
}

/// A listener that adds up what it hears.
final class Adder: Listener {
  /// The sum so far.
  private(set) var sum = 0

  /// Adds one message.
  func hear(_ value: Int) { sum &+= value }
}

/// The hand-written way to hold a listener weakly.
final class WeakBox {
  /// The listener, if it still lives.
  weak let target: (any Listener)?

  /// Holds a listener weakly.
  init(_ target: any Listener) { self.target = target }
}

/// What a hand-written table holds.
final class Entry: Sendable {}

/// What is written by hand where no library is wanted: the least that the mechanisms could cost.
enum Floor {
  /// An array of closures, called in turn.
  static func closures(_ count: Int) -> Work {
    .loop {
      let tally = Tally()
      let handlers: [(Int) -> Void] = (0..<count).map { offset in
        { value in tally.hear(value &+ offset) }
      }
      return { turns in
        for turn in 0..<turns { for handler in handlers { handler(turn) } }
        consume(tally.sum)
      }
    }
  }

  /// An array of boxes with weak references, called in turn.
  static func weakBoxes(_ count: Int) -> Work {
    .loop {
      let targets = (0..<count).map { _ in Adder() }
      let boxes = targets.map(WeakBox.init)
      return { turns in
        for turn in 0..<turns { for box in boxes { box.target?.hear(turn) } }
        consume(targets)
      }
    }
  }

  /// A dictionary behind a lock, filled with so many entries.
  static func lockedDictionary(_ count: Int) -> Work {
    .loop {
      let keys = (0..<count).map { _ in Entry() }
      let table = Mutex<[ObjectIdentifier: Entry]>([:])
      for key in keys { table.withLock { $0[ObjectIdentifier(key)] = key } }
      let wanted = ObjectIdentifier(keys[count / 2])
      return { turns in
        for _ in 0..<turns { consume(table.withLock { $0[wanted] }) }
      }
    }
  }

  /// A dictionary that nobody writes to any more.
  static func frozenTable(_ count: Int) -> Work {
    .loop {
      let keys = (0..<count).map { _ in Entry() }
      let table = Dictionary(uniqueKeysWithValues: keys.map { (ObjectIdentifier($0), $0) })
      let wanted = ObjectIdentifier(keys[count / 2])
      return { turns in
        for _ in 0..<turns { consume(table[wanted]) }
      }
    }
  }

  /// What several threads that are handed the same objects write in any case: their counts.
  static func sharedObjects(_ count: Int, threads: Int) -> Work {
    .threads(threads) {
      let objects = (0..<count).map { _ in Entry() }
      return { turns in
        for _ in 0..<turns { for object in objects { consume(handedOut(object)) } }
      }
    }
  }

  // Optimised, it would be seen that nobody keeps it.
  /// Retains an object, which whoever takes it releases.
  @inline(never)
  @_optimize(none)
  private static func handedOut(_ object: Entry) -> Entry? { object }
}
