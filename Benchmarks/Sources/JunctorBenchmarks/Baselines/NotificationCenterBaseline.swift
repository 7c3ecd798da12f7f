import Foundation

extension Baseline {
  /// A post to Foundation's notification centre with so many block observers.
  static func notificationCenter(listeners: Int) -> Baseline {
    Baseline(
      name: "NotificationCenter",
      work: .loop {
        let (center, name) = (NotificationCenter(), Notification.Name("bench"))
        let tallies = (0..<listeners).map { _ in Tally() }
        let tokens = tallies.map { tally in
          center.addObserver(forName: name, object: nil, queue: nil) { _ in tally.hear(1) }
        }
        return { turns in
          for _ in 0..<turns { center.post(name: name, object: nil) }
          consume(tallies)
          consume(tokens)
        }
      })
  }

  /// A post whose listeners read one value out of the notification's dictionary.
  static func notificationCenterWithUserInfo(listeners: Int) -> Baseline {
    Baseline(
      name: "NotificationCenter, userInfo",
      work: .loop {
        let (center, name) = (NotificationCenter(), Notification.Name("bench"))
        let tally = Tally()
        let tokens = (0..<listeners).map { _ in
          center.addObserver(forName: name, object: nil, queue: nil) { notification in
            if let value = notification.userInfo?["value"] as? Int { tally.hear(value) }
          }
        }
        return { turns in
          for turn in 0..<turns {
            center.post(name: name, object: nil, userInfo: ["value": turn])
          }
          consume(tally.sum)
          consume(tokens)
        }
      })
  }

  /// Adding one block observer to a notification centre and removing it.
  static let notificationCenterAddRemove = Baseline(
    name: "NotificationCenter",
    work: .loop {
      let (center, name) = (NotificationCenter(), Notification.Name("bench"))
      return { turns in
        for _ in 0..<turns {
          let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in }
          center.removeObserver(token)
        }
      }
    })

  /// The memory of so many block observers.
  static func notificationCenterMemory(_ count: Int) -> Baseline {
    Baseline(
      name: "NotificationCenter",
      work: .memory(count) { count in
        let (center, name) = (NotificationCenter(), Notification.Name("bench"))
        return {
          (0..<count).map { _ in
            center.addObserver(forName: name, object: nil, queue: nil) { _ in }
          }
        }
      })
  }
}
