/// Numbers the messages that leave, from 1 for every channel.
///
/// ## Concurrency
/// A value; confined to whoever holds it.
package struct SequenceBook: Sendable {
  private var name = ""
  private var last: UInt64 = 0
  private var others: [String: UInt64] = [:]
  private let mostNames: Int

  /// Grows when the book was full and all numbers began anew: whoever counts then belongs to another row.
  package private(set) var epoch = 0

  /// Begins with nothing.
  ///
  /// - Parameter mostNames: how many channels are remembered.
  package init(mostNames: Int = 65_536) { self.mostNames = max(1, mostNames) }

  /// The next number for a channel.
  package mutating func next(_ channel: String) -> UInt64 {
    if channel != name {
      if last > 0 { others[name] = last }
      if others.count >= mostNames {
        others = [:]
        epoch += 1
      }
      name = channel
      last = others.removeValue(forKey: channel) ?? 0
    }
    last += 1
    return last
  }
}
