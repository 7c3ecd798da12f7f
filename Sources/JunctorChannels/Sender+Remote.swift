internal import JunctorCore

extension Sender {
  /// Whoever posts in this process: as a wish of whom to listen to.
  ///
  /// `channel.listen(for: self, from: Sender.local) { … }` hears every post of this process, whether or not it names its
  /// sender, and nothing that a bridge brings from another.
  public static let local: any AnyObject & Sendable = LocalSenders()
}

extension Envelope {
  /// Whether a bridge brought the message from another process.
  public var isRemote: Bool { sender?.is(RemoteSender.shared) ?? false }
}

extension Channel {
  /// Reports what listeners threw at a message whose poster does not see the receipt, being in another process.
  package func reportUnseen(_ receipt: Receipt) { topic.reportUnseen(receipt, nil) }
}

/// Stands for everybody in this process.
private final class LocalSenders: Sendable {}

/// Stands for everybody in other processes: what bridges bring is posted in its name.
///
/// ## Concurrency
/// Has no state.
package final class RemoteSender: Sendable {
  /// The only one.
  package static let shared = RemoteSender()

  private init() {}
}
