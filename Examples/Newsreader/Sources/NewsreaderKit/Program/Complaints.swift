/// Holds complaints until there is somebody to make them to.
///
/// ## Concurrency
/// On the main actor.
@MainActor
final class Complaints {
  private var waiting: [NewsreaderError] = []
  private var target: ((NewsreaderError) -> Void)?

  /// Makes a complaint, now or as soon as somebody listens.
  ///
  /// - Parameter problem: what is wrong.
  func add(_ problem: NewsreaderError) {
    if let target { target(problem) } else { waiting.append(problem) }
  }

  /// Makes all complaints from now on, and those that wait.
  ///
  /// - Parameter target: is told of each.
  func forward(to target: @escaping (NewsreaderError) -> Void) {
    self.target = target
    let waiting = waiting
    self.waiting = []
    waiting.forEach(target)
  }
}
