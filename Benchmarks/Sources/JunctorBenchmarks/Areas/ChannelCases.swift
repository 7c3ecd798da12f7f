import Dispatch
import Junctor

/// Channels, compared with Foundation's notification centre.
let channelCases: [Case] = synchronousCases + sharedCases + queuedCases + upkeepCases

private let counts = [1, 10, 100, 1_000, 10_000, 100_000]

private let synchronousCases: [Case] =
  [nobodyListens] + counts.map(ownerBound) + counts.map(subscriptionBound)
  + [valueRead, withSender]

private let nobodyListens = Case(
  "channels", "post, nobody listens", baseline: .notificationCenter(listeners: 0),
  must: [.ratio(0.05), .allocations(0)]
) {
  let channel = Channel<Int>("bench", in: Exchange())
  return { turns in for turn in 0..<turns { channel.post(turn) } }
}

private func ownerBound(_ count: Int) -> Case {
  Case(
    "channels", "post, owner-bound listeners", "\(count)",
    baseline: .notificationCenter(listeners: count), must: [.ratio(0.25), .allocations(0)]
  ) {
    let listening = Listening(count)
    let channel = listening.channel
    return { turns in
      for turn in 0..<turns { channel.post(turn) }
      consume(listening)
    }
  }
}

private func subscriptionBound(_ count: Int) -> Case {
  let limit = [1: 1.0 / 6, 10: 0.1][count] ?? 0.04
  return Case(
    "channels", "post, subscription-bound listeners", "\(count)",
    baseline: .notificationCenter(listeners: count), must: [.ratio(limit), .allocations(0)]
  ) {
    let channel = Channel<Int>("bench", in: Exchange())
    // One for each: adding to one sum, every handler would wait for the one before to have stored it.
    let tallies = (0..<count).map { _ in Tally() }
    let subscriptions = tallies.map { tally in channel.listen { tally.hear($0) } }
    return { turns in
      for turn in 0..<turns { channel.post(turn) }
      consume(tallies)
      consume(subscriptions)
    }
  }
}

private let valueRead = Case(
  "channels", "post, value read by each", "10",
  baseline: .notificationCenterWithUserInfo(listeners: 10), must: [.ratio(0.25), .allocations(0)]
) {
  let listening = Listening(10)
  let channel = listening.channel
  return { turns in
    for turn in 0..<turns { channel.post(turn) }
    consume(listening)
  }
}

private let withSender = Case("channels", "post with a sender", "10") {
  let listening = Listening(10)
  let channel = listening.channel
  let sender = Tally()
  return { turns in
    for turn in 0..<turns { channel.post(turn, from: sender) }
    consume(listening)
  }
}

private let sharedCases: [Case] = [
  Case(
    "channels", "post from 2 threads, subscription-bound listeners", "10", threads: 2,
    must: [.ratio(1)]
  ) {
    let channel = Channel<Int>("bench", in: Exchange())
    let subscriptions = (0..<10).map { _ in channel.listen { _ in } }
    return { turns in
      for turn in 0..<turns { channel.post(turn) }
      consume(subscriptions)
    }
  },
  // An owner is kept alive for its call, and that count is what both threads write: the floor does the same.
  Case(
    "channels", "post from 2 threads, owner-bound listeners", "10",
    baseline: Baseline(
      name: "retain and release, 2 threads", work: Floor.sharedObjects(10, threads: 2)),
    must: [.ratio(1.5)], threads: 2
  ) {
    let channel = Channel<Int>("bench", in: Exchange())
    let owners = (0..<10).map { _ in Idler() }
    for owner in owners { channel.listen(for: owner) { _, _ in } }
    return { turns in
      for turn in 0..<turns { channel.post(turn) }
      consume(owners)
    }
  },
  Case("channels", "post from 2 threads, listeners", "0", threads: 2, must: [.ratio(1)]) {
    let channel = Channel<Int>("bench", in: Exchange())
    return { turns in for turn in 0..<turns { channel.post(turn) } }
  },
]

private let queuedCases: [Case] = [1_000, 8_000, 64_000, 1_000_000].map { count in
  Case(
    waiting: "channels", "queued to a dispatch queue, pending", "\(count)", batch: count,
    baseline: .asyncStream(pending: count), must: [.nanoseconds(1_000)]
  ) {
    let channel = Channel<Int>("bench", in: Exchange())
    let queue = DispatchQueue(label: "bench")
    let tally = Tally()
    let done = DispatchSemaphore(value: 0)
    channel.listen(for: tally, on: .queue(queue), buffer: .unbounded) { me, value in
      me.hear(value)
      if value == count - 1 { done.signal() }
    }
    return { turns in
      for _ in 0..<turns {
        queue.suspend()
        for value in 0..<count { channel.post(value) }
        queue.resume()
        done.wait()
      }
      consume(tally.sum)
    }
  }
}

private let upkeepCases: [Case] =
  [0, 1_000, 100_000].map(listenAndCancel) + [listenPostCancel]
  + [
    Case("channels", "name a channel that is in use") {
      let exchange = Exchange()
      let channel = Channel<Int>("bench", in: exchange)
      return { turns in
        for _ in 0..<turns { consume(Channel<Int>("bench", in: exchange)) }
        consume(channel)
      }
    },
    Case(
      "channels", bytesOf: "owner-bound listener", count: 1_000_000,
      baseline: .notificationCenterMemory(1_000_000), must: [.bytes(200)]
    ) { count in
      let listening = Listening(0)
      let owners = (0..<count).map { _ in Tally() }
      return {
        for owner in owners {
          listening.channel.listen(for: owner) { me, value in me.hear(value) }
        }
        return (listening, owners)
      }
    },
    Case("channels", bytesOf: "name used once", count: 1_000_000, must: [.bytes(1)]) { count in
      let exchange = Exchange()
      return {
        for index in 0..<count { Channel<Int>("channel \(index)", in: exchange).post(index) }
        return exchange
      }
    },
    Case("channels", bytesOf: "listener whose owner died", count: 1_000_000, must: [.bytes(1)]) {
      count in
      let channel = Channel<Int>("bench", in: Exchange())
      return {
        for _ in 0..<count { channel.listen(for: Tally()) { me, value in me.hear(value) } }
        return channel
      }
    },
  ]

private func listenAndCancel(beside others: Int) -> Case {
  Case(
    "channels", "listen and cancel, beside", "\(others)", baseline: .notificationCenterAddRemove,
    must: [.ratio(1)]
  ) {
    let listening = Listening(others)
    let channel = listening.channel
    return { turns in
      for _ in 0..<turns { channel.listen { _ in }.cancel() }
      consume(listening)
    }
  }
}

private let listenPostCancel = Case("channels", "listen, post and cancel") {
  let channel = Channel<Int>("bench", in: Exchange())
  return { turns in
    for turn in 0..<turns {
      let subscription = channel.listen { _ in }
      channel.post(turn)
      subscription.cancel()
    }
  }
}

private final class Idler: Sendable {}

/// A channel with listeners that go when the case is done, so that the next one starts with nothing left to sweep.
private final class Listening {
  let channel = Channel<Int>("bench", in: Exchange())
  let owners: [Tally]

  init(_ count: Int) {
    owners = (0..<count).map { _ in Tally() }
    for owner in owners { channel.listen(for: owner) { me, value in me.hear(value) } }
  }

  deinit { channel.removeAllListeners() }
}
