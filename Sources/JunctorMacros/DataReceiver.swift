/// Makes a class a receiver that keeps what it is handed in itself.
///
/// The parameter of `prepare(with:)` says what the class needs:
///
/// ```swift
/// @DataReceiver
/// final class ProfileScreen: Screen {
///   func prepare(with profile: Profile?) { … }
/// }
/// ```
///
/// Adds a stored `handoverSlot`, as accessible as the class, and the conformance to `DataReceiver` where the class does not
/// state it. What cannot be a receiver is one error, at its place. A class that is `Sendable` and bound to no actor gets a slot that several threads may use.
@attached(
  member, names: named(handoverSlot), named(_sharedHandoverSlot), named(Model), named(prepare))
@attached(extension, conformances: JunctorHandover.DataReceiver)
public macro DataReceiver() =
  #externalMacro(module: "JunctorMacrosPlugin", type: "DataReceiverMacro")
