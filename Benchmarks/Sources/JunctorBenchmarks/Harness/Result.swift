/// What was measured on one side of a comparison.
struct Figure {
  /// Nanoseconds for one operation, or bytes for one thing: the median.
  var value: Double
  /// Allocations for one operation or thing.
  var allocations: Double
}

/// What was measured of one case.
struct Result {
  /// What was measured.
  let subject: Case
  /// Junctor's figure.
  let ours: Figure
  /// The baseline's figure.
  let baseline: Figure?

  /// How many times the baseline's time ours is.
  var ratio: Double? {
    guard let baseline, baseline.value > 0 else { return nil }
    return ours.value / baseline.value
  }
}

extension Result {
  /// What is missed of what the contracts ask, a sentence each.
  ///
  /// - Parameters:
  ///   - slowness: how much slower than the contracts' machine this one is; 1 or more.
  ///   - quick: whether only allocations and gross ratios count.
  /// - Returns: the sentences.
  func missed(slowness: Double, quick: Bool) -> [String] {
    // A quick run is short and may share the machine: what it calls missed is missed by far.
    let slack = quick ? 5.0 : 1.0
    return subject.musts.compactMap { must in
      switch must {
      case .ratio(let limit):
        // What several threads get done depends on what else the machine does: a quick run does not judge it.
        if quick, case .threads = subject.work { return nil }
        guard let ratio, ratio > limit * slack else { return nil }
        return
          "\(shown(ratio, 3)) times \(subject.baseline?.name ?? "the baseline"), at most \(limit)"
      case .over(let limit):
        guard !quick, let baseline else { return nil }
        let over = ours.value - baseline.value
        guard over > limit * slowness else { return nil }
        return
          "\(shown(over, 1)) ns more than \(subject.baseline?.name ?? "the baseline"), at most \(limit)"
      case .nanoseconds(let limit):
        guard !quick, ours.value > limit * slowness else { return nil }
        return "\(shown(ours.value, 1)) ns, at most \(limit)"
      case .allocations(let limit):
        guard ours.allocations > limit else { return nil }
        return "\(shown(ours.allocations, 3)) allocations, at most \(limit)"
      case .bytes(let limit):
        guard ours.value > limit else { return nil }
        return "\(shown(ours.value, 0)) bytes, at most \(limit)"
      }
    }
  }
}
