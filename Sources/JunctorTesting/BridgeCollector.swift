internal import Dispatch
internal import JunctorBridge
internal import JunctorCore
internal import Synchronization

/// Keeps what a subscription delivers, for a check to look at.
///
/// ## Concurrency
/// May be used from any thread.
final class BridgeCollector: Sendable {
  private struct State {
    var all: [BridgeDelivery] = []
    var waiters: [(count: Int, id: UInt64, resume: Resume<Bool>)] = []
  }

  private let state = Mutex(State())
  private let settles: Bool

  /// Begins with nothing.
  ///
  /// - Parameter settles: whether to say of everything that it was handled.
  init(settles: Bool = true) { self.settles = settles }

  /// What was delivered so far.
  var all: [BridgeDelivery] { state.withLock { $0.all } }

  /// The contents so far, as text.
  var texts: [String] { all.map { String(decoding: $0.frame.payload, as: UTF8.self) } }

  /// Takes a delivery.
  func take(_ delivery: BridgeDelivery) {
    let waiters = state.withLock { state in
      state.all.append(delivery)
      let count = state.all.count
      let ready = state.waiters.filter { $0.count <= count }.map(\.resume)
      state.waiters.removeAll { $0.count <= count }
      return ready
    }
    if settles { delivery.settle(.handled) }
    for resume in waiters { resume(true) }
  }

  /// Waits until so much was delivered. Returns `false` if the time was over before.
  func wait(for count: Int, within limit: Duration) async -> Bool {
    await withSuspension(
      { id, resume in
        let suspension = state.withLock { state -> Suspension<Bool> in
          if state.all.count >= count { return .answered(true) }
          state.waiters.append((count, id, resume))
          return .waiting
        }
        if case .waiting = suspension {
          DispatchQueue.global().asyncAfter(
            deadline: .now() + limit.dispatchInterval
          ) { self.take(id)?(false) }
        }
        return suspension
      },
      leave: { self.take($0) }, cancelled: false)
  }

  private func take(_ id: UInt64) -> Resume<Bool>? {
    state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
      return state.waiters.remove(at: index).resume
    }
  }
}

/// The engines of one check.
///
/// ## Concurrency
/// May be used from any thread. Retains them.
final class EngineList: Sendable {
  private let state = Mutex<[any BridgeEngine]>([])

  /// Adds one.
  func add(_ engine: any BridgeEngine) { state.withLock { $0.append(engine) } }
}

extension BridgeEngine {
  /// Sends a frame and waits until the server has it.
  func publish(
    _ subject: String, _ text: String = "", _ promise: BridgePromise = .atMostOnce,
    id: String? = nil
  ) async -> BridgeError? {
    let frame = BridgeFrame(subject: subject, payload: Array(text.utf8), messageID: id)
    return await withCheckedContinuation { continuation in
      publish(frame, promise, isAwaited: true) { continuation.resume(returning: $0) }
    }
  }

  /// Sends a frame at least once, again and again while errors are temporary.
  func keep(_ subject: String, _ text: String, id: String) async throws {
    while let error = await publish(subject, text, .atLeastOnce(durable: "sender"), id: id) {
      guard error.isTemporary else { throw error }
      await pause()
    }
  }

  /// Waits a moment, so that trying again does not keep a core busy.
  private func pause() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) {
        continuation.resume()
      }
    }
  }

  /// Asks, and waits for what comes of it.
  func ask(
    _ subject: String, _ text: String, _ timeout: Duration
  ) async -> Result<BridgeFrame, BridgeError> {
    await withCheckedContinuation { continuation in
      request(BridgeFrame(subject: subject, payload: Array(text.utf8)), timeout: timeout) {
        continuation.resume(returning: $0)
      }
    }
  }
}
