#if NATS
  /// Those who wait for a reply, by number, with the time at which they give up.
  struct PendingReplies<Waiter> {
    private var waiters: [UInt64: (waiter: Waiter, deadline: UInt64)] = [:]
    private var last: UInt64 = 0

    /// Whether nobody waits.
    var isEmpty: Bool { waiters.isEmpty }

    /// How many wait.
    var count: Int { waiters.count }

    /// Notes somebody. Returns the number.
    mutating func add(_ waiter: Waiter, deadline: UInt64) -> UInt64 {
      last += 1
      waiters[last] = (waiter, deadline)
      return last
    }

    /// Takes somebody out.
    mutating func take(_ number: UInt64) -> Waiter? {
      waiters.removeValue(forKey: number)?.waiter
    }

    /// Takes those out whose time is over, in the order in which they came.
    mutating func takeExpired(at time: UInt64) -> [Waiter] {
      let numbers = waiters.filter { $0.value.deadline <= time }.keys.sorted()
      return numbers.compactMap { take($0) }
    }

    /// Takes all out that fit, in the order in which they came.
    mutating func takeAll(where fits: (Waiter) -> Bool = { _ in true }) -> [Waiter] {
      let numbers = waiters.filter { fits($0.value.waiter) }.keys.sorted()
      return numbers.compactMap { take($0) }
    }
  }
#endif
