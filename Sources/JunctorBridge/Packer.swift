internal import JunctorChannels

/// Packs encoded messages into frames: those of one channel whose numbers follow each other, up to a size.
///
/// ## Concurrency
/// A value; confined to whoever holds it.
struct Packer {
  /// How large a frame grows that holds more than one message.
  static let largest = 16_384

  private let plan: BridgePlan
  private var expected: Int
  private var first: OutboxCore.Item?
  private var single: [UInt8] = []
  private var payload: [UInt8] = []
  private var count = 0
  private var waiters: [OutgoingWaiter] = []

  /// Begins empty, for so many messages.
  init(_ plan: BridgePlan, expecting count: Int) {
    self.plan = plan
    expected = count
  }

  /// Adds a message. Returns the parcel before it, if it is complete.
  mutating func add(_ bytes: [UInt8], _ item: OutboxCore.Item) -> Parcel? {
    var complete: Parcel?
    if !fits(bytes, item) { complete = finish() }
    if count == 0 {
      first = item
      single = bytes
    } else {
      if count == 1 {
        // Room for as many as may come, so that a frame is not moved while it grows.
        payload.reserveCapacity(min(Self.largest, (expected + 1) * (single.count + 4)))
        MessageBatch.append(single, to: &payload)
      }
      MessageBatch.append(bytes, to: &payload)
    }
    count += 1
    expected -= 1
    if let waiter = item.extras?.waiter { waiters.append(waiter) }
    return complete
  }

  private func fits(_ bytes: [UInt8], _ item: OutboxCore.Item) -> Bool {
    guard let first else { return true }
    return item.number == first.number + UInt64(count)
      && max(payload.count, single.count) + bytes.count + 4 <= Self.largest
      && item.channel == first.channel && item.epoch == first.epoch && item.trace == first.trace
  }

  /// Takes out what was packed, if anything was.
  mutating func finish() -> Parcel? {
    guard let first else { return nil }
    defer {
      self.first = nil
      single = []
      payload = []
      count = 0
      waiters = []
    }
    let origin = first.epoch == 0 ? plan.origin : "\(plan.origin).\(first.epoch)"
    let mark = MessageMark(
      origin: origin, sequence: first.number, count: count == 1 ? 0 : count,
      schema: plan.options.schema, type: plan.type)
    var headers = [MessageMark.header: mark.text]
    if let trace = first.trace { headers[TraceContext.header] = trace }
    let prefix = plan.options.prefix
    let frame = BridgeFrame(
      subject: first.channel == plan.name
        ? plan.subject.text : prefix.isEmpty ? first.channel : "\(prefix).\(first.channel)",
      headers: headers,
      payload: count == 1 ? single : payload,
      messageID: plan.promise.isAtLeastOnce ? "\(origin)/\(first.channel)/\(first.number)" : nil)
    return Parcel(frame: frame, count: count, waiters: waiters)
  }
}

extension OutboxCore.Item {
  /// To which row of numbers it belongs.
  fileprivate var epoch: Int { extras?.epoch ?? 0 }

  /// The poster's trace.
  fileprivate var trace: String? { extras?.trace }
}
