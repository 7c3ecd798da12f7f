/// An object that states what it needs and is prepared with it, once per handover, at the right moment.
///
/// One method makes a class a receiver; its parameter says what the class needs:
///
/// ```swift
/// @DataReceiver
/// final class ProfileScreen: Screen {
///   func prepare(with profile: Profile?) { … }
/// }
/// screen.handOver(profile)
/// ```
///
/// ## Storage
/// The model and what waits to be prepared with live in a ``HandoverSlot``. There are three ways to it, the quickest
/// first:
/// - The macro `@DataReceiver` adds one stored member to the class, where `Profile` is the parameter's type without its
///   question mark, and the conformance where the class does not state it:
///   `let handoverSlot = HandoverSlot<Profile>()`. It goes with the object.
/// - The class declares that member by hand. A class that is `Sendable` and bound to no actor writes two lines:
///   `private let slot = SharedHandoverSlot<Profile>()` and
///   `var handoverSlot: HandoverSlot<Profile> { slot.base }`.
/// - The class declares nothing. Then a table keeps the slot, without keeping the object: on Apple platforms it goes with
///   the object, elsewhere soon after it, and no new object at the same address ever sees it.
///
/// A class that declares a `model` of its own keeps the model there, and only the rest in the slot.
///
/// ## Concurrency
/// The conformance has the isolation of the class: a `@MainActor` class is handed its model on the main actor, a class
/// that is confined to an actor there, and the compiler checks both. `prepare(with:)` runs inline, inside `handOver` or
/// `becomeReady()`, with no lock held; it may hand over again, also to itself. Handing over retains neither side.
public protocol DataReceiver<Model>: AnyObject, Preparable {
  /// What was handed over last, from the moment it was handed over; `nil` before that.
  ///
  /// Setting it changes what is kept and prepares nothing.
  var model: Model? { get set }

  /// Takes what was handed over. Called exactly once per handover, when the receiver is ready.
  ///
  /// - Parameter model: what was handed over; `nil` if that was nothing.
  func prepare(with model: Model?)

  /// Whether `prepare(with:)` may be called now. True unless the class says otherwise.
  ///
  /// A class that becomes ready later says `false` until then and calls `becomeReady()` when it is.
  var isReady: Bool { get }

  /// Where the model and what waits are kept.
  var handoverSlot: HandoverSlot<Model> { get }

  /// What happens to several handovers that wait for the receiver to become ready.
  static var handoverPolicy: HandoverPolicy { get }
}

extension DataReceiver {
  /// True: the receiver is ready from the start.
  @inlinable
  public var isReady: Bool { true }

  /// The latest handover counts.
  @inlinable
  public static var handoverPolicy: HandoverPolicy { .latest }

  /// The slot that the table keeps for this object.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var handoverSlot: HandoverSlot<Model> { HandoverTable.slot(for: self) }

  /// What was handed over last, kept in the slot.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var model: Model? {
    get { handoverSlot.model }
    set {
      let slot = handoverSlot
      slot.noteKeeping()
      slot.model = newValue
    }
  }
}
