/// A receiver that may give something back.
///
/// ```swift
/// @DataReceiver
/// final class ReadingScreen: Screen, ResultProvider {
///   enum Result { case next, previous, archived }
///   func prepare(with article: Article?) { … }
///   func nextWasPressed() { giveBack(.next) }
/// }
/// screen.request(article, for: self) { me, outcome in me.go(on: outcome) }
///
/// let outcome = await screen.result(of: request)
/// ```
///
/// A request ends once: with the first value that is given back for it, or as cancelled, when the receiver says so or goes
/// away, when its model is replaced before it arrived, when the requester gives up, or when the task that awaits it is
/// cancelled. A result may be given back without leaving: what the receiver does next is its own business.
///
/// A result provider keeps its slot itself, by the macro or by hand; the table does not serve it.
///
/// ## Concurrency
/// Isolated like the conforming class. A handler runs inline in `giveBack`, on the receiver's isolation; when the receiver
/// goes away elsewhere, on the isolation on which the request was made. The requester is held weakly.
public protocol ResultProvider<Model, Result>: DataReceiver {
  /// What is given back.
  associatedtype Result
}

extension ResultProvider {
  /// Not for result providers: what they answer must end with them, and the table notices only later, somewhere else.
  ///
  /// - Complexity: O(1).
  @available(
    *, unavailable,
    message:
      "A result provider keeps its slot itself. Add '@DataReceiver', or write 'let handoverSlot = HandoverSlot<Model>()' with the model's type."
  )
  public var handoverSlot: HandoverSlot<Model> { HandoverTable.make(for: self) }
}
