internal import JunctorChannels
internal import JunctorCore
internal import Synchronization

/// The half of a bridge that receives.
///
/// ## Concurrency
/// The engine calls `receive` on a thread of its own, one frame after another; listeners that are called by posters run
/// there, and listeners elsewhere are waited for where every message must be handled. Retained by the engine's
/// subscription; retains neither listeners nor the bridge.
final class Inlet<Message: Sendable>: Sendable {
  private struct State {
    var log: ArrivalLog
    var status = BridgeStatus()
    var survey: (version: UInt64, isInline: Bool)?
    var channel: Channel<Message>?
    var isClosed = false
    var waitsNoMore = false
    var awaited: AwaitedOutcome?
  }

  private let state: Mutex<State>
  private let plan: BridgePlan
  private let decode: @Sendable ([UInt8], Int) throws -> Message
  private let exchange: Exchange

  /// Makes one that posts into an exchange.
  init(
    _ plan: BridgePlan, into exchange: Exchange,
    decode: @escaping @Sendable ([UInt8], Int) throws -> Message
  ) {
    self.plan = plan
    self.exchange = exchange
    self.decode = decode
    let width = plan.promise.isAtLeastOnce ? 16_384 : 0
    state = Mutex(State(log: ArrivalLog(width: width)))
  }

  /// Takes what arrived.
  func receive(_ delivery: BridgeDelivery) {
    guard let name = plan.subject.channelName(of: delivery.frame.subject) else { return }
    let mark = delivery.frame.headers[MessageMark.header].flatMap { MessageMark($0) }
    let count = UInt64(mark?.messages ?? 1)
    let isClosed = state.withLock { state in
      state.status.received += count
      if delivery.attempt > 1 { state.status.redelivered += 1 }
      return state.isClosed
    }
    // Not settled: it stays for the next time.
    if isClosed { return }
    // What a member of a group sends had no listener there, so the group may well give it back to be heard.
    if let mark, plan.options.group == nil, plan.isOwn(mark.origin) {
      state.withLock { $0.status.echoes += count }
      return delivery.settle(.handled)
    }
    if let fault = fault(mark, delivery.frame, name) {
      plan.note(fault)
      return delivery.settle(.unusable)
    }
    guard let messages = messages(in: delivery.frame, mark, name) else {
      return delivery.settle(.unusable)
    }
    let information = RemoteMessage(
      origin: mark?.origin ?? "", schema: mark?.schema ?? 0, attempt: delivery.attempt)
    let all = RemoteMessage.$current.withValue(information) {
      guard let trace = delivery.frame.headers[TraceContext.header] else {
        return deliver(messages, mark, name)
      }
      return TraceContext.$current.withValue(trace) { deliver(messages, mark, name) }
    }
    if all { delivery.settle(.handled) }
  }

  /// What makes a frame useless here, without looking at its content.
  private func fault(_ mark: MessageMark?, _ frame: BridgeFrame, _ name: String) -> BridgeError? {
    let name = shown(name)
    guard let mark else {
      // Whoever is no bridge may send a bare message.
      guard frame.headers[MessageMark.header] != nil else { return nil }
      state.withLock { $0.status.undecodable += 1 }
      return BridgeError(
        .undecodable,
        "Can't read a message of '\(name)': its header 'Junctor' is of another version. Bring all "
          + "sides to the same version.")
    }
    if !mark.type.isEmpty, mark.type != plan.type {
      state.withLock { $0.status.wrongType += UInt64(mark.messages) }
      return BridgeError(
        .wrongType,
        "Can't read a message of '\(name)': it is of the type '\(shown(mark.type))', and "
          + "'\(shown(plan.type))' is expected. Use one type, or give both sides one 'typeName'.")
    }
    if !plan.options.readableSchemas.contains(mark.schema) {
      state.withLock { $0.status.unreadableSchema += UInt64(mark.messages) }
      return BridgeError(
        .unreadableSchema,
        "Can't read a message of '\(name)': it is of schema \(mark.schema), and this side reads "
          + "\(plan.options.readableSchemas). Bring this side to that version.")
    }
    return nil
  }

  /// The messages of a frame as bytes, each to be decoded when its turn has come.
  private struct Contents {
    var payload: [UInt8]
    /// Where the messages lie; `nil` for one that is the whole payload.
    var ranges: [Range<Int>]?
    var count: Int { ranges?.count ?? 1 }
    subscript(index: Int) -> [UInt8] { ranges.map { Array(payload[$0[index]]) } ?? payload }
  }

  /// Divides a frame; `nil` if it is none.
  private func messages(
    in frame: BridgeFrame, _ mark: MessageMark?, _ name: String
  ) -> Contents? {
    guard let mark, mark.count > 0 else { return Contents(payload: frame.payload) }
    guard let ranges = MessageBatch.ranges(of: frame.payload, count: mark.count) else {
      state.withLock { $0.status.undecodable += UInt64(mark.count) }
      plan.note(
        BridgeError(
          .undecodable,
          "Can't read messages of '\(shown(name))': the frame is not divided as its header says. "
            + "Look for somebody else who publishes there."))
      return nil
    }
    return Contents(payload: frame.payload, ranges: ranges)
  }

  private func decoded(_ bytes: [UInt8], _ schema: Int, _ name: String) -> Message? {
    do {
      return try decode(bytes, schema)
    } catch {
      state.withLock { $0.status.undecodable += 1 }
      plan.note(
        BridgeError(
          .undecodable,
          "Can't read a message of '\(shown(name))': \(error). Bring both sides to one type and "
            + "schema."))
      return nil
    }
  }

  // MARK: - Delivering

  /// Delivers the messages of a frame. Returns whether all of them are done with.
  private func deliver(_ messages: Contents, _ mark: MessageMark?, _ name: String) -> Bool {
    let channel = channel(name)
    let schema = mark?.schema ?? 0
    let row = mark.map { ArrivalLog.Row(origin: $0.origin, channel: name) }
    guard plan.promise.isAtLeastOnce else {
      note(row, mark, count: messages.count)
      var delivered: UInt64 = 0
      for index in 0..<messages.count {
        guard let message = decoded(messages[index], schema, name) else { continue }
        channel.reportUnseen(channel.post(message, from: RemoteSender.shared))
        delivered += 1
      }
      state.withLock { $0.status.delivered += delivered }
      return true
    }
    for index in 0..<messages.count {
      let number = (mark?.sequence ?? 0) + UInt64(index)
      let isKnown = state.withLock { state in
        guard let row, state.log.contains(row, number) else { return false }
        state.status.duplicates += 1
        return true
      }
      if isKnown { continue }
      let message = decoded(messages[index], schema, name)
      if let message, !deliverAndWait(message, channel) { return false }
      state.withLock { state in
        if let row { _ = state.log.arrive(row, number) }
        if message != nil { state.status.delivered += 1 }
      }
    }
    return true
  }

  private func note(_ row: ArrivalLog.Row?, _ mark: MessageMark?, count: Int) {
    // Of a group's messages each member gets a part.
    guard let row, let mark, plan.options.group == nil else { return }
    state.withLock { state in
      // The numbers are a stranger's: the sum stays at the end of what can be counted.
      let missed = state.log.arrive(row, mark.sequence).missed
      state.status.missed += min(missed, UInt64.max - state.status.missed)
      if count > 1 { _ = state.log.arrive(row, mark.sequence + UInt64(count - 1)) }
    }
  }

  /// Delivers one message and returns when all who listen are done with it; `false` if that was given up.
  private func deliverAndWait(_ message: Message, _ channel: Channel<Message>) -> Bool {
    if isInline(channel) {
      channel.reportUnseen(channel.post(message, from: RemoteSender.shared))
      return true
    }
    // The engine's thread is one that may wait. Its next frame comes when this one is done with.
    let outcome = AwaitedOutcome()
    let mayWait = state.withLock { state in
      if !state.waitsNoMore { state.awaited = outcome }
      return !state.waitsNoMore
    }
    guard mayWait else { return false }
    defer { state.withLock { $0.awaited = nil } }
    Task {
      do {
        channel.reportUnseen(try await channel.send(message, from: RemoteSender.shared))
        outcome.finish(true)
      } catch {
        outcome.finish(false)
      }
    }
    return outcome.wait()
  }

  /// Whether a post is handled by everybody when it returns.
  private func isInline(_ channel: Channel<Message>) -> Bool {
    let version = channel.listVersion
    if let known = state.withLock({ $0.survey }), known.version == version,
      plan.name == channel.name
    {
      return known.isInline
    }
    let isInline = channel.survey.isInline
    state.withLock { $0.survey = (version, isInline) }
    return isInline
  }

  private func channel(_ name: String) -> Channel<Message> {
    if let known = state.withLock({ $0.channel }), known.name == name { return known }
    let made = Channel<Message>(name, in: exchange)
    // The one before may go with its last reference: outside.
    let old = state.withLock { state in
      let old = state.channel
      state.channel = made
      return old
    }
    _ = old
    return made
  }

  /// Takes nothing more.
  func close() {
    state.withLock { $0.isClosed = true }
    giveUp()
  }

  /// Waits for listeners no longer: what they are not done with comes again.
  func giveUp() {
    let awaited = state.withLock { state in
      state.waitsNoMore = true
      return state.awaited
    }
    awaited?.finish(false)
  }

  /// Adds what was counted.
  func count(into status: inout BridgeStatus) {
    let own = state.withLock { $0.status }
    status.received = own.received
    status.delivered = own.delivered
    status.duplicates = own.duplicates
    status.echoes = own.echoes
    status.redelivered = own.redelivered
    status.missed = own.missed
    status.undecodable = own.undecodable
    status.wrongType = own.wrongType
    status.unreadableSchema = own.unreadableSchema
  }
}
