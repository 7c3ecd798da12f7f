internal import Dispatch
internal import JunctorChannels
internal import JunctorCore
internal import Synchronization

/// The half of a bridge that answers other processes.
///
/// ## Concurrency
/// The engine calls `receive`, which returns at once; those who answer are asked in a task. Retained by the engine's
/// subscription.
final class Answerer<Request: Sendable, Reply: Sendable>: Sendable {
  private struct State {
    var open = 0
    var status = BridgeStatus()
    var restWaiters = Waiters<Bool>()
  }

  private let state = Mutex(State())
  private let plan: BridgePlan
  private let channel: RequestChannel<Request, Reply>
  private let decode: @Sendable ([UInt8], Int) throws -> Request
  private let encode: @Sendable (Reply) throws -> [UInt8]

  /// Makes one that asks those who answer on a channel here.
  init(
    _ plan: BridgePlan, _ channel: RequestChannel<Request, Reply>,
    decode: @escaping @Sendable ([UInt8], Int) throws -> Request,
    encode: @escaping @Sendable (Reply) throws -> [UInt8]
  ) {
    self.plan = plan
    self.channel = channel
    self.decode = decode
    self.encode = encode
  }

  /// Takes a question.
  func receive(_ delivery: BridgeDelivery) {
    guard let reply = delivery.reply else { return }
    let isFree = state.withLock { state in
      state.status.received += 1
      guard state.open < plan.options.buffer else { return false }
      state.open += 1
      return true
    }
    guard isFree else { return reply(frame(.busy)) }
    let mark = delivery.frame.headers[MessageMark.header].flatMap { MessageMark($0) }
    let request: Request
    do {
      request = try decode(delivery.frame.payload, mark?.schema ?? 0)
    } catch {
      state.withLock { $0.status.undecodable += 1 }
      plan.note(
        BridgeError(
          .undecodable,
          "Can't read a question to '\(shown(plan.name))': \(error). Bring both sides to one type "
            + "and schema."))
      reply(frame(.undecodable))
      return end()
    }
    Task {
      await TraceContext.$current.withValue(delivery.frame.headers[TraceContext.header]) {
        reply(await answer(request))
      }
      state.withLock { $0.status.delivered += 1 }
      end()
    }
  }

  /// Notes that a question was answered, one way or another.
  private func end() {
    let waiters = state.withLock { state in
      state.open -= 1
      return state.open == 0 ? state.restWaiters.takeAll() : []
    }
    for resume in waiters { resume(true) }
  }

  /// Returns once every question that has come is answered, or the time is over.
  func rest(within limit: Duration) async {
    _ = await withSuspension(
      { id, resume in
        let suspension = state.withLock { state -> Suspension<Bool> in
          if state.open == 0 { return .answered(true) }
          state.restWaiters.add(id, resume)
          return .waiting
        }
        if case .waiting = suspension {
          DispatchQueue.global().asyncAfter(deadline: .now() + limit.dispatchInterval) {
            [weak self] in self?.stopWaiting(id)?(false)
          }
        }
        return suspension
      },
      leave: { _ in nil }, cancelled: false)
  }

  private func stopWaiting(_ id: UInt64) -> Resume<Bool>? {
    state.withLock { $0.restWaiters.take(id) }
  }

  private nonisolated(nonsending) func answer(_ request: Request) async -> BridgeFrame {
    let answer: Reply
    do {
      answer = try await channel.request(
        request, timeout: plan.options.requestTimeout, from: RemoteSender.shared)
    } catch let error as RequestError where error.code == .nobodyAnswered {
      return frame(.none, [])
    } catch let error as RequestError where error.code == .timedOut {
      return frame(.late)
    } catch {
      // What went wrong here is told here: it may name what is nobody else's business.
      let cause = (error as? RequestError)?.cause ?? error
      plan.note(
        BridgeError(
          .refused,
          "Can't answer a question to '\(shown(plan.name))': \(cause). Handle the cause in the one "
            + "who answers."), eachTime: true)
      return frame(.failed)
    }
    do {
      return frame(.answer, try encode(answer))
    } catch {
      plan.note(
        BridgeError(
          .unencodable,
          "Can't encode an answer to '\(shown(plan.name))': \(error). Mend the type or its codec."))
      return frame(.unencodable)
    }
  }

  private func frame(_ fault: ReplyFault) -> BridgeFrame {
    frame(.error, Array(fault.rawValue.utf8))
  }

  private func frame(_ kind: ReplyKind, _ payload: [UInt8]) -> BridgeFrame {
    let mark = MessageMark(
      origin: plan.origin, sequence: 1, count: 0, schema: plan.options.schema, type: "")
    return BridgeFrame(
      subject: "", headers: [ReplyKind.header: kind.rawValue, MessageMark.header: mark.text],
      payload: payload)
  }

  /// Adds what was counted.
  func count(into status: inout BridgeStatus) {
    let own = state.withLock { $0.status }
    status.received = own.received
    status.delivered = own.delivered
    status.undecodable = own.undecodable
  }
}
