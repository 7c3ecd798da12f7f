internal import JunctorCore
internal import Synchronization

/// What the wiring may see of one slot.
struct HandoverRecord: Sendable {
  /// One sender, and where it handed over last.
  struct Sender: Sendable {
    /// The sender.
    let object: WeakObject
    /// Where it handed over last.
    var site: SourceSite
    /// How often it handed over.
    var count: UInt64
  }

  /// One open request.
  struct Request: Sendable {
    /// The request's number.
    let id: UInt64
    /// Who wants to know, if that is an object.
    let requester: WeakObject?
    /// Where it was made.
    let site: SourceSite
    /// Whether it is still open.
    let phase: RequestPhase
  }

  /// How many senders are remembered per receiver.
  static let senderLimit = 8

  /// The receiver, once something was handed to it.
  var receiver: WeakObject?
  /// Where something was handed over first.
  var site: SourceSite?
  /// The latest senders.
  var senders: [Sender] = []
  /// Where what waits was handed over.
  var pending: [SourceSite] = []
  /// The requests that are open, or were when last looked at.
  var requests: [Request] = []

  /// The receiver's type, by name. Made when it is asked for: naming a type takes microseconds.
  var receiverName: String { receiver.map { String(describing: $0.type) } ?? "receiver" }
}

/// A weak reference that can be copied.
final class WeakObject: Sendable {
  private let reference: OwnerReference

  /// Names the object as long as this lives, be the object alive or not.
  let identity: ObjectIdentifier

  /// The object's type.
  let type: AnyClass

  /// Refers to an object weakly; `nil` if its deinitialiser has begun.
  init?(_ object: AnyObject) {
    guard let reference = OwnerReference(object) else { return nil }
    self.reference = reference
    identity = ObjectIdentifier(object)
    type = Swift.type(of: object)
  }

  /// The object, if it is alive.
  var object: AnyObject? { reference.object }

  /// Whether the object's deinitialiser has not begun.
  var isAlive: Bool { reference.isAlive }

  /// Whether this refers to exactly that object.
  func refers(to other: AnyObject) -> Bool { reference.refers(to: other) }
}

extension AnyHandoverSlot {
  /// Notes the receiver, at its first handover, and the sender where one is named.
  final func note(_ receiver: AnyObject, sender: AnyObject?, site: SourceSite) {
    if record.withLock({ $0.receiver == nil }), let reference = WeakObject(receiver) {
      record.withLock {
        guard $0.receiver == nil else { return }
        $0.receiver = reference
        $0.site = site
      }
    }
    if let sender { note(sender: sender, site: site) }
  }

  private final func note(sender: AnyObject, site: SourceSite) {
    let reference = WeakObject(sender)
    // Who they are is asked with no lock held: on Apple platforms a look at an object may be its last release.
    let senders = record.withLock { $0.senders }
    let known = senders.first { $0.object.refers(to: sender) }?.object
    let dead = Set(senders.filter { !$0.object.isAlive }.map { ObjectIdentifier($0.object) })
    record.withLock { record in
      // The references are compared, not what they refer to.
      if let known, let index = record.senders.firstIndex(where: { $0.object === known }) {
        record.senders[index].site = site
        record.senders[index].count += 1
        return
      }
      guard let reference else { return }
      record.senders.removeAll { dead.contains(ObjectIdentifier($0.object)) }
      if record.senders.count == HandoverRecord.senderLimit { record.senders.removeFirst() }
      record.senders.append(.init(object: reference, site: site, count: 1))
    }
    extendLifetime(senders)
  }
}
