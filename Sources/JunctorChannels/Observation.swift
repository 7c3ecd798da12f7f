internal import JunctorCore
internal import Synchronization

/// What is watched of an exchange, and what was seen.
///
/// ## Concurrency
/// May be used from any thread; hooks run on the poster's thread with no lock held. Retained by its exchange; retains no
/// message and no owner.
final class Observation: Sendable {
  private struct State {
    var records = RingBuffer<PostRecord>()
  }

  /// What is watched.
  let options: ObservationOptions
  /// The time since the watching began.
  let elapsed: @Sendable () -> Duration
  /// Listeners with a smaller number were there before: what they got is not known.
  private let firstID = Identifier.next()
  private let state = Mutex(State())

  /// Begins to watch.
  init(_ options: ObservationOptions, elapsed: @escaping @Sendable () -> Duration) {
    self.options = options
    self.elapsed = elapsed
  }

  // A class: a post that nobody watches then carries one empty word along instead of nine.
  /// What has to be known of a post until it has ended.
  final class Begun {
    /// Who watches.
    let observation: Observation
    /// When the post began, since the watching did.
    let began: Duration
    /// The channel's name.
    let channelName: String
    /// The message's type.
    let messageType: String
    /// Where it was posted.
    let site: SourceSite
    /// What is told of its end.
    let end: (@Sendable (PostRecord) -> Void)?

    /// Notes that it begins.
    init(_ observation: Observation, _ topic: Topic, at site: SourceSite) {
      self.observation = observation
      began = observation.elapsed()
      channelName = topic.name
      messageType = topic.kind.name()
      self.site = site
      end = observation.options.onPost?(topic.name, site)
    }

    /// Notes that it has ended.
    func ended(_ receipt: Receipt) {
      let options = observation.options
      guard options.historyLimit > 0 || end != nil else { return }
      let record = PostRecord(
        channelName: channelName, messageType: messageType, site: site, began: began,
        duration: observation.elapsed() - began, called: receipt.called,
        queued: receipt.queued, dropped: receipt.dropped, errorCount: receipt.errors.count,
        isConsumed: receipt.isConsumed)
      observation.keep(record)
      end?(record)
    }
  }

  private func keep(_ record: PostRecord) {
    guard options.historyLimit > 0 else { return }
    let old = state.withLock { state -> PostRecord? in
      state.records.append(record)
      return state.records.count > options.historyLimit ? state.records.popFirst() : nil
    }
    _ = old
  }

  /// The last posts, oldest first.
  var history: [PostRecord] {
    state.withLock { $0.records }.elements
  }

  // MARK: - Listeners

  /// Delivers to a listener, and notes whether it was called and how long that took.
  func call(
    _ entry: _ListEntry, of topic: Topic, _ body: () -> Bool, wasCalled: () -> Bool
  ) -> Bool {
    let began = options.slowListenerLimit == nil ? .zero : elapsed()
    let result = body()
    guard wasCalled() else { return result }
    // Kept by the entry: what is kept beside it would have to be forgotten with it.
    if options.reportsUnheardListeners { entry.mark(_ListEntry.heard) }
    guard let limit = options.slowListenerLimit else { return result }
    let duration = elapsed() - began
    if duration > limit, entry.mark(_ListEntry.reported) {
      Junctor.report(
        Diagnostic(
          .slowListener,
          "Can't deliver '\(shown(topic.name))' in time: a listener took \(duration), and more than "
            + "\(limit) is too much here. Make it faster, or let it listen on a queue.",
          sites: [entry.site, topic.site]))
    }
    return result
  }

  /// Notes that a listener has gone, and reports it if its owner died before it got anything.
  func noteLeft(_ entry: _ListEntry, of name: String) {
    guard options.reportsUnheardListeners, !entry.hasMark(_ListEntry.heard), entry.id > firstID,
      entry.owner.isBound, !entry.owner.isAlive
    else { return }
    Junctor.report(
      Diagnostic(
        .listenerDiedUnheard,
        "Can't deliver anything of '\(shown(name))' to a listener: its owner died before the "
          + "first message. Keep the owner, or post earlier.",
        sites: [entry.site]))
  }
}
