// JunctorMacros: what the compiler writes for you.

@_exported public import JunctorDelegates
@_exported public import JunctorHandover

/// Writes a class that stands where this delegate is wanted and forwards every call to many targets.
///
/// ```swift
/// @Multicast
/// public protocol PlayerDelegate: AnyObject {
///   func playerDidStart(_ player: Player)
///   @Returns(.every, fallback: true) func player(_ player: Player, mayPlay track: Track) -> Bool
///   @Optional(fallback: 1.0) func preferredVolume(for track: Track) -> Double
/// }
/// let all = PlayerDelegateMulticast()
/// ```
///
/// Where the protocol is not seen outside of its module, one line of yours makes its multicast the delegate:
///
/// ```swift
/// extension PlayerDelegateMulticast: PlayerDelegate, Multicasting {}
/// ```
///
/// The optimiser of Swift 6.3 overlooks conformances that only a macro wrote, and would take the multicast for the one class
/// that it sees. Without the line the program does not compile, and the error says the line. A protocol that is `public`,
/// `package` or `@usableFromInline`, as are the types around it, needs none.
///
/// Access, attributes, isolation, effects, generic parameters, `where`, `#if`, `@available` and doc comments are carried
/// over. What cannot be forwarded is an error at that very place.
///
/// - Parameters:
///   - inheriting: the protocols with multicasts that this one inherits from, as `Base.self`; one with associated types as
///     `(any Base<Item>).self`. For one of another module, `BaseMulticast.self` does too.
///   - onError: what happens when a target throws, unless `@Returns` says otherwise.
@attached(peer, names: suffixed(Multicast))
@attached(extension, names: arbitrary)
public macro Multicast(
  inheriting: Any.Type..., onError: MulticastErrorPolicy = .callAll
) = #externalMacro(module: "JunctorMacrosPlugin", type: "MulticastMacro")

/// Says how the answers of many targets become one.
///
/// - Parameters:
///   - rule: how; `.last` where nothing is said.
///   - onError: what happens when a target throws.
///   - calls: how the targets of an asynchronous method are called.
@attached(peer)
public macro Returns(
  _ rule: ReturnRule<Any> = .last, onError: MulticastErrorPolicy = .callAll,
  calls: CallOrder = .inOrder
) = #externalMacro(module: "JunctorMacrosPlugin", type: "ReturnsMacro")

/// Says how the answers of many targets become one.
///
/// - Parameters:
///   - rule: how; `.last` where nothing is said.
///   - fallback: what is returned if nobody answers. Evaluated for each such call.
///   - onError: what happens when a target throws.
///   - calls: how the targets of an asynchronous method are called.
@attached(peer)
public macro Returns<Result>(
  _ rule: ReturnRule<Result>, fallback: Result, onError: MulticastErrorPolicy = .callAll,
  calls: CallOrder = .inOrder
) = #externalMacro(module: "JunctorMacrosPlugin", type: "ReturnsMacro")

/// Makes a requirement optional.
///
/// A target that does not implement it is skipped and does not decide the answer. Beside `@Forwarded` it marks a method
/// that is optional in Objective-C; elsewhere that changes nothing.
@attached(peer)
public macro Optional() = #externalMacro(module: "JunctorMacrosPlugin", type: "OptionalMacro")

/// Makes a requirement optional.
///
/// A target that does not implement it is skipped and does not decide the answer. Beside `@Forwarded` it marks a method
/// that is optional in Objective-C; elsewhere that changes nothing.
///
/// - Parameter fallback: what is returned if nobody answers, and by a target of its own that does not implement it.
@attached(peer)
public macro Optional<Result>(fallback: Result) =
  #externalMacro(module: "JunctorMacrosPlugin", type: "OptionalMacro")

/// Writes the body of a method that forwards to the multicast list of its class.
///
/// For protocols that are declared elsewhere:
///
/// ```swift
/// final class ParserTargets: NSObject, XMLParserDelegate {
///   let targets = MulticastList<any XMLParserDelegate>()
///   @Forwarded func parserDidStartDocument(_ parser: XMLParser)
/// }
/// ```
///
/// - Parameters:
///   - list: the name of the property that holds the list.
///   - onError: what happens when a target throws.
@attached(body)
public macro Forwarded(
  to list: StaticString = "targets", onError: MulticastErrorPolicy = .callAll
) =
  #externalMacro(module: "JunctorMacrosPlugin", type: "ForwardedMacro")
