internal import Foundation

/// Tells the time: the service that makes ages testable.
///
/// ## Concurrency
/// May be asked from any thread.
protocol Clock: Sendable {
  /// The present moment.
  var now: Date { get }
}

/// The computer's clock.
///
/// ## Concurrency
/// A value without state; may be used anywhere.
struct SystemClock: Clock {
  /// The present moment.
  var now: Date { Date() }
}

extension Date {
  /// How long ago this was, in at most four columns: `3 m`, `5 h`, `12 d`, `7 y`.
  ///
  /// - Parameter now: the present moment.
  /// - Complexity: O(1).
  func age(at now: Date) -> String {
    let seconds = max(now.timeIntervalSince(self), 0)
    return switch seconds {
    case ..<3_600: "\(Int(seconds / 60)) m"
    case ..<86_400: "\(Int(seconds / 3_600)) h"
    case ..<(1_000 * 86_400): "\(Int(seconds / 86_400)) d"
    default: "\(Int(seconds / (365.25 * 86_400))) y"
    }
  }

  /// The moment as `2026-01-05 10:00 UTC`.
  ///
  /// - Complexity: O(1).
  var stamp: String {
    let text = ISO8601Format()
    return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
  }
}
