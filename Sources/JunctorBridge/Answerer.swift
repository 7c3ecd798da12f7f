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
    guard isFree else { return reply(frame(.error, Array("too many questions at once".utf8))) }
    let mark = delivery.frame.headers[MessageMark.header].flatMap { MessageMark($0) }
    let request: Request
    do {
      request = try decode(delivery.frame.payload, mark?.schema ?? 0)
    } catch {
      state.withLock { state in
        state.open -= 1
        state.status.undecodable += 1
      }
      plan.note(
        BridgeError(
          .undecodable,
          "Can't read a question to '\(shown(plan.name))': \(error). Bring both sides to one type "
            + "and schema."))
      return reply(frame(.error, Array("the question can't be decoded".utf8)))
    }
    Task {
      await TraceContext.$current.withValue(delivery.frame.headers[TraceContext.header]) {
        reply(await answer(request))
      }
      state.withLock { state in
        state.open -= 1
        state.status.delivered += 1
      }
    }
  }

  private nonisolated(nonsending) func answer(_ request: Request) async -> BridgeFrame {
    do {
      let answer = try await channel.request(
        request, timeout: plan.options.requestTimeout, from: RemoteSender.shared)
      return frame(.answer, try encode(answer))
    } catch let error as RequestError where error.code == .nobodyAnswered {
      return frame(.none, [])
    } catch let error as RequestError {
      let cause = error.cause.map { "\($0)" } ?? error.message
      return frame(.error, Array(cause.utf8.prefix(4_096)))
    } catch {
      return frame(.error, Array("\(error)".utf8.prefix(4_096)))
    }
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
