extension Wiring {
  /// What an event of the history is.
  ///
  /// ## Concurrency
  /// A value; may be used anywhere.
  public struct EventKind: Sendable, Hashable, CustomStringConvertible {
    private enum Name: UInt8 {
      case post, delivery, drop, call, handover, result, build, close, failure
    }

    private let name: Name

    /// A message was posted to a channel.
    public static var post: EventKind { EventKind(name: .post) }
    /// A listener got a message.
    public static var delivery: EventKind { EventKind(name: .delivery) }
    /// A message was dropped, because nobody wanted it or a buffer was full.
    public static var drop: EventKind { EventKind(name: .drop) }
    /// A method of a multicast was called.
    public static var call: EventKind { EventKind(name: .call) }
    /// A model was handed over.
    public static var handover: EventKind { EventKind(name: .handover) }
    /// A result came back.
    public static var result: EventKind { EventKind(name: .result) }
    /// A service was built.
    public static var build: EventKind { EventKind(name: .build) }
    /// Something was closed or taken out.
    public static var close: EventKind { EventKind(name: .close) }
    /// Something failed.
    public static var failure: EventKind { EventKind(name: .failure) }

    private init(name: Name) { self.name = name }

    /// The kind's name.
    public var description: String { "\(name)" }
  }

  /// Something that happened, as the history recorded it.
  ///
  /// ## Concurrency
  /// A value; may be used anywhere. It keeps nothing alive but its label.
  public struct Event: Sendable, Hashable, CustomStringConvertible {
    /// Its place in the order of recording, from 1; never given twice in one process.
    public let number: UInt64
    /// What it is.
    public let kind: EventKind
    /// What it happened to: a channel's name, a method, a protocol, a receiver's type.
    public let label: String
    /// Where it was asked for: the line that posted, called, handed over or registered.
    public let site: SourceSite?
    /// When it ended, on the monotonic clock, since that clock's own start.
    ///
    /// Within about a microsecond of that clock, unless its rate has just been corrected: events that lie closer together,
    /// above all those of several threads, may have their times in another order than their numbers.
    public let time: Duration
    /// How long it took, where that was measured.
    public let duration: Duration?
    /// How many it reached: listeners, targets.
    public let count: Int

    /// Number, kind, label, count, duration and site in one line.
    public var description: String {
      var words = "#\(number) \(kind) '\(label)'"
      if count > 0 { words += " → \(count)" }
      if let duration { words += " in \(duration.brief)" }
      if let site { words += " at \(site)" }
      return words
    }
  }

  /// A part of the history, and how much of it was lost.
  ///
  /// ## Concurrency
  /// A value; may be used anywhere.
  public struct HistoryPage: Sendable, Hashable {
    /// The events, oldest first.
    public let events: [Event]
    /// How many events after the one asked for had been overwritten already.
    public let missed: UInt64
    /// The number to ask for the next page with.
    public let last: UInt64
  }
}
