internal import JunctorChannels

/// Packs encoded messages into frames: those of one channel whose numbers follow each other, up to a size.
///
/// ## Concurrency
/// A value; confined to whoever holds it.
struct Packer {
  /// What decides which messages may travel together.
  struct Key {
    var channel: String
    var number: UInt64
    var epoch: Int
    var trace: String?
  }

  /// How large a frame grows that holds more than one message.
  static let largest = 16_384

  private let plan: BridgePlan
  private var first: Key?
  private var single: [UInt8] = []
  private var payload: [UInt8] = []
  private var count = 0
  private var waiters: [OutgoingWaiter] = []

  /// Begins empty.
  init(_ plan: BridgePlan) { self.plan = plan }

  /// Adds a message. Returns the parcel before it, if it is complete.
  mutating func add(_ bytes: [UInt8], _ key: Key, _ waiter: OutgoingWaiter?) -> Parcel? {
    var complete: Parcel?
    if !fits(bytes, key) { complete = finish() }
    if first == nil {
      first = key
      single = bytes
    } else {
      if count == 1 {
        payload.reserveCapacity(min(Self.largest, 64 * (bytes.count + 4)))
        MessageBatch.append(single, to: &payload)
      }
      MessageBatch.append(bytes, to: &payload)
    }
    count += 1
    if let waiter { waiters.append(waiter) }
    return complete
  }

  private func fits(_ bytes: [UInt8], _ key: Key) -> Bool {
    guard let first else { return true }
    return key.channel == first.channel && key.epoch == first.epoch && key.trace == first.trace
      && key.number == first.number + UInt64(count)
      && max(payload.count, single.count) + bytes.count + 4 <= Self.largest
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
      subject: prefix.isEmpty ? first.channel : "\(prefix).\(first.channel)", headers: headers,
      payload: count == 1 ? single : payload,
      messageID: plan.promise.isAtLeastOnce ? "\(origin)/\(first.channel)/\(first.number)" : nil)
    return Parcel(frame: frame, count: count, waiters: waiters)
  }
}
