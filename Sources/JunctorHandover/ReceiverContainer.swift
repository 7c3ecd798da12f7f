/// What contains receivers: a navigation stack, a set of tabs, a split view, or something of one's own.
///
/// Handing over to a container finds the one receiver inside it that takes the model. What is left with a container waits
/// there for a child that does not exist yet; the container says when children have arrived, by `receiversArrived()`.
///
/// ## Concurrency
/// Isolated like the conforming type. It is asked while something is handed over, on the caller's isolation.
public protocol ReceiverContainer {
  /// What is inside, in order. An element may be a receiver, a container, both or neither.
  var receiverChildren: [AnyObject] { get }

  /// The container that this one is in, if it is in one.
  ///
  /// What waits there is tried as well when children arrive here.
  var receiverParent: AnyObject? { get }

  /// Where what waits for children is kept. Need not be declared: then a table keeps it. A container that holds its own
  /// reports what never arrived at the moment it goes, rather than soon after.
  var handoverShelf: HandoverShelf? { get }
}

extension ReceiverContainer {
  /// Nil: the container is in no other.
  public var receiverParent: AnyObject? { nil }

  /// Nil: the table keeps it.
  public var handoverShelf: HandoverShelf? { nil }
}

extension ReceiverContainer where Self: AnyObject {
  /// Hands what waits here, and in the containers around, to the children that take it by now.
  ///
  /// Call it whenever children have been added, here or further inside.
  ///
  /// - Complexity: O(containers around × (what waits + objects inside)).
  public func receiversArrived() { HandoverShelf.deliverWaiting(from: self) }

  /// How many handovers wait here for a child.
  ///
  /// - Complexity: O(1).
  public var waitingHandovers: Int { HandoverShelf.existing(in: self)?.count ?? 0 }
}
