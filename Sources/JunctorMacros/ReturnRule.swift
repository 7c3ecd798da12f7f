/// How the answers of many targets become one.
///
/// Every target is called, whatever the rule; targets that leave an optional method to the default do not answer.
///
/// ## Concurrency
/// Read by the compiler; never made while a program runs.
public struct ReturnRule<Result>: Sendable {
  /// The answer of the last target that answered.
  public static var last: Self { Self() }

  /// The answer of the first target that answered.
  public static var first: Self { Self() }

  /// Whether any target answered `true`.
  public static var any: Self { Self() }

  /// Whether all targets that answered did so with `true`.
  public static var every: Self { Self() }

  /// The arrays of all targets that answered, joined in order.
  public static var all: Self { Self() }

  /// The answers combined, from the first to the last.
  ///
  /// - Parameter combine: makes one answer of what was combined so far and the next.
  /// - Returns: the rule.
  public static func reduce(_ combine: (Result, Result) -> Result) -> Self { Self() }
}

/// How the targets of an asynchronous method are called.
///
/// ## Concurrency
/// Read by the compiler; never made while a program runs.
public enum CallOrder: Sendable, Hashable {
  /// One after another; whether a target is still there is read when its turn comes.
  case inOrder

  /// All at the same time; everything involved has to be Sendable.
  ///
  /// Answers are combined in the order of the targets.
  case concurrent
}
