import Foundation

extension Baseline {
  /// A post of a typed message of the main actor to Foundation's notification centre, with so many observers there.
  static func typedNotificationCenter(listeners: Int) -> Baseline {
    Baseline(
      name: "NotificationCenter, typed",
      work: .loop {
        let observed = MainActor.assumeIsolated { Observed(listeners) }
        return { turns in MainActor.assumeIsolated { observed.post(turns) } }
      })
  }
}

/// What typed messages are about.
@MainActor
private final class Topic {}

/// A typed message as a user would write it.
private struct Changed: NotificationCenter.MainActorMessage {
  typealias Subject = Topic

  static var name: Notification.Name { Notification.Name("bench") }

  let value: Int
}

/// A centre with observers of a typed message.
@MainActor
private final class Observed {
  private let center = NotificationCenter()
  private let topic = Topic()
  private let tallies: [Tally]
  private var tokens: [NotificationCenter.ObservationToken] = []

  init(_ count: Int) {
    tallies = (0..<count).map { _ in Tally() }
    tokens = tallies.map { tally in
      center.addObserver(of: topic, for: Changed.self) { message in tally.hear(message.value) }
    }
  }

  func post(_ turns: Int) {
    for turn in 0..<turns { center.post(Changed(value: turn), subject: topic) }
    consume(tallies)
  }
}
