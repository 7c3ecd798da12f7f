import Junctor

/// Posts from the main actor to listeners of the main actor, as in an application, compared with Foundation's typed messages.
let mainActorCases: [Case] = [1, 10, 100, 1_000].map { count in
  // To enter the main actor allocates once, for all the turns of a loop.
  Case(
    "channels", "post from the main actor, its listeners", "\(count)",
    baseline: .typedNotificationCenter(listeners: count),
    must: [.ratio(count > 10 ? 0.4 : 0.25), .allocations(0.02)]
  ) {
    // Cases run on the main thread.
    let screens = MainActor.assumeIsolated { Screens(count) }
    return { turns in MainActor.assumeIsolated { screens.post(turns) } }
  }
}

/// A screen as a user would write it.
@MainActor
private final class Screen {
  private var sum = 0

  func show(_ value: Int) { sum &+= value }
}

/// A channel that screens listen to.
@MainActor
private final class Screens {
  private let channel = Channel<Int>("bench", in: Exchange())
  private let screens: [Screen]

  init(_ count: Int) {
    screens = (0..<count).map { _ in Screen() }
    for screen in screens { channel.listen(for: screen) { me, value in me.show(value) } }
  }

  func post(_ turns: Int) {
    for turn in 0..<turns { channel.post(turn) }
  }

  deinit { channel.removeAllListeners() }
}
