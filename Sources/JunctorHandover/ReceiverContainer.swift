/// What contains receivers: a navigation stack, a set of tabs, a split view, or something of one's own.
///
/// Handing over to a container finds the one receiver inside it that takes the model.
///
/// ## Concurrency
/// Isolated like the conforming type. It is asked while something is handed over, on the caller's isolation.
public protocol ReceiverContainer {
  /// What is inside, in order. An element may be a receiver, a container, both or neither.
  var receiverChildren: [AnyObject] { get }
}
