/// How an engine is connected.
///
/// ## Concurrency
/// A value; may be used anywhere.
public enum BridgeConnectionState: Sendable, Hashable {
  /// Not yet, or not any more, and trying; the reason of the last failure, if there was one.
  case connecting(BridgeError?)
  /// Messages get through.
  case connected
  /// For good not, until somebody mends the cause.
  case failed(BridgeError)
  /// The engine was closed.
  case closed

  /// Whether messages get through.
  public var isConnected: Bool { self == .connected }

  /// Whether it can never be connected again.
  package var isOver: Bool {
    switch self {
    case .failed, .closed: true
    case .connecting, .connected: false
    }
  }
}
