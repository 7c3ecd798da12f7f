internal import Foundation
internal import Junctor

/// Shows how far the file is that is being read, and keeps itself up to date by listening.
///
/// ## Concurrency
/// On the main actor. Progress comes from another thread and queues up here, one bar at a time.
@MainActor
final class ProgressBar {
  private var progress: LoadProgress?
  private var loaded: Set<String> = []
  private let changed: () -> Void

  /// Makes a bar.
  ///
  /// - Parameter changed: is called when there is something new to draw.
  init(changed: @escaping () -> Void) {
    self.changed = changed
    Channel.progress.listen(for: self) { bar, progress in bar.show(progress) }
  }

  /// Shows no file any more, and what still comes of it neither.
  ///
  /// - Parameter path: the file that was read.
  func finish(_ path: String) {
    loaded.insert(path)
    progress = nil
    changed()
  }

  /// The bar in so many columns; `nil` if nothing is being read.
  ///
  /// - Parameter width: the columns.
  /// - Complexity: O(width).
  func text(width: Int) -> String? {
    guard let progress else { return nil }
    let name = URL(fileURLWithPath: progress.path).lastPathComponent
    let articles = "\(progress.articles) \(progress.articles == 1 ? "article" : "articles")"
    guard let fraction = progress.fraction else { return "\(name): \(articles)" }
    let tail = " \(Int(fraction * 100)) % \(articles)"
    let room = width - name.count - tail.count - 4
    guard room >= 8 else { return "\(Int(fraction * 100)) %" }
    let length = min(room, 40)
    let filled = Int(Double(length) * fraction)
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: length - filled)
    return "\(name) \(bar)\(tail)"
  }

  private func show(_ progress: LoadProgress) {
    guard !loaded.contains(progress.path) else { return }
    self.progress = progress
    changed()
  }
}
