/// What was handed to whom, in order, as far as the doubles of one test tell.
///
/// ## Concurrency
/// Not `Sendable`: used where the doubles are that write into it.
public final class HandoverLog {
  /// One handover that has arrived.
  public struct Entry: CustomStringConvertible {
    /// The name of the double that was prepared.
    public let receiver: String
    /// What it was prepared with, as an optional of its model.
    public let model: Any

    /// The receiver's name and the model.
    public var description: String { "\(receiver): \(model)" }
  }

  /// What has arrived, in order.
  public private(set) var entries: [Entry] = []

  /// Makes an empty log.
  public init() {}

  /// What has arrived, in words.
  ///
  /// - Complexity: O(entries).
  public var lines: [String] { entries.map(\.description) }

  /// Forgets what has arrived.
  ///
  /// - Complexity: O(entries).
  public func clear() { entries = [] }

  /// Adds what has arrived.
  func add<Model>(_ model: Model?, to receiver: String) {
    let text: Any = model.map { $0 as Any } ?? "nil"
    entries.append(Entry(receiver: receiver, model: text))
  }
}
