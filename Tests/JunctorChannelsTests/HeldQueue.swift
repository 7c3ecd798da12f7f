import Dispatch

/// A queue whose work is held until the test lets it go.
final class HeldQueue: Sendable {
  let queue = DispatchQueue(label: "held")
  private let gate = DispatchSemaphore(value: 0)

  /// Holds the queue.
  init() { queue.async { [gate] in gate.wait() } }

  /// Lets the work go on.
  func open() { gate.signal() }

  /// Waits until everything that was handed in before has been done.
  func drained() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}

/// Passes a signal from one task to another, once.
final class Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func send() { continuation.yield() }

  func wait() async { for await _ in stream { return } }
}
