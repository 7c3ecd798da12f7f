internal import Junctor

/// Those who wait until there are so many of something.
struct CountWatchers: Sendable {
  private struct Watcher {
    let id: UInt64
    let count: Int
    let resume: Resume<Bool>
  }

  private var all: [Watcher] = []

  /// Notes somebody who waits for a count.
  mutating func add(_ id: UInt64, for count: Int, _ resume: @escaping Resume<Bool>) {
    all.append(Watcher(id: id, count: count, resume: resume))
  }

  /// Takes out who does not wait any longer. Returns what resumes that one.
  ///
  /// - Complexity: O(n) in the number of those who wait.
  mutating func take(_ id: UInt64) -> Resume<Bool>? {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return nil }
    return all.remove(at: index).resume
  }

  /// Takes out those whose count is reached.
  ///
  /// - Complexity: O(n) in the number of those who wait.
  mutating func takeReached(_ count: Int) -> [Resume<Bool>] {
    guard !all.isEmpty else { return [] }
    let reached = all.filter { $0.count <= count }.map(\.resume)
    all.removeAll { $0.count <= count }
    return reached
  }
}
