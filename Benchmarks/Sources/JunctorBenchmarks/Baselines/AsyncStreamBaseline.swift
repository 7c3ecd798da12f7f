import Dispatch

extension Baseline {
  /// So many values yielded to an `AsyncStream` at once and read by a task.
  static func asyncStream(pending: Int) -> Baseline {
    Baseline(
      name: "AsyncStream",
      work: .waiting {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let done = DispatchSemaphore(value: 0)
        Task.detached {
          for await value in stream where value == pending - 1 { done.signal() }
        }
        return { turns in
          for _ in 0..<turns {
            for value in 0..<pending { continuation.yield(value) }
            done.wait()
          }
        }
      })
  }
}
