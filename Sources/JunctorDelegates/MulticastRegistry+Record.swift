internal import JunctorCore
internal import Synchronization

/// What was counted of one multicast's calls while the history was on, for the wiring.
struct MulticastTraffic {
  /// How many calls there were.
  var calls: UInt64 = 0
  /// How many targets they reached together.
  var reached: UInt64 = 0
  /// In how many a target threw.
  var failed: UInt64 = 0
  /// The longest call, in nanoseconds.
  var longest: UInt64 = 0

  /// Counts one more.
  mutating func add(reached targets: Int, failed isFailed: Bool, took nanoseconds: UInt64) {
    calls &+= 1
    reached &+= UInt64(targets)
    if isFailed { failed &+= 1 }
    longest = max(longest, nanoseconds)
  }
}

extension MulticastRegistry {
  /// Has calls recorded, or not, as the history is.
  package func historyDidChange() {
    list.hide { WiringHistory.isOn }
    WiringHistory.locked {
      if !WiringHistory.isOn { unsafe lockedTraffic = MulticastTraffic() }
    }
  }

  /// What was counted so far.
  var traffic: MulticastTraffic {
    var found = MulticastTraffic()
    WiringHistory.locked { unsafe found = lockedTraffic }
    return found
  }

  /// The time now, if a walk that met nobody is to be made again; otherwise 0.
  ///
  /// That is so while calls are recorded, and ever after: the list may have been hidden during the walk and shown again
  /// since, and a call must not miss its targets. Nobody answers twice: who left it to the default is known by then.
  @usableFromInline
  var recordingTime: UInt64 {
    let began = WiringHistory.begin()
    return began == 0 && list.wasEverHidden ? WiringHistory.now() : began
  }

  /// Notes what came of a call that reached nobody, or is recorded.
  ///
  /// - Parameters:
  ///   - function: the method's name.
  ///   - reached: how many targets it reached; counted from `Int.min` where it is recorded.
  ///   - began: when it began; 0 for one that is not recorded.
  ///   - failed: whether a target threw.
  @usableFromInline
  func noteCall(_ function: StaticString, reached: Int, began: UInt64, failed: Bool) {
    let count = reached < 0 ? reached &- .min : reached
    if count == 0 { noteUnreached(function) }
    if began != 0 { record(function, reached: count, began: began, failed: failed) }
  }

  /// Counts and records a call that has ended.
  func record(_ function: StaticString, reached: Int, began: UInt64, failed: Bool) {
    guard WiringHistory.isOn else { return }
    let ended = WiringHistory.now()
    let subject = WiringSubject.method(label, function)
    WiringHistory.record(
      .call, subject, site: site, began: began, ended: ended, count: reached
    ) {
      let took = WiringHistory.duration(from: began, to: ended)
      unsafe lockedTraffic.add(reached: reached, failed: failed, took: took)
    }
    if failed { WiringHistory.record(.failure, subject, site: site, ended: ended) }
  }
}
