/// What an event of the history happened to; made readable only when somebody reads it.
package enum WiringSubject: Sendable {
  /// Something that has a name: a channel, a set.
  case name(String)
  /// A method of a multicast.
  case method(String, StaticString)
  /// A type: a receiver's, a result's.
  case type(any Any.Type)

  /// The name, the multicast and its method, or the type's name.
  package var text: String {
    switch self {
    case .name(let name): name
    case .method(let multicast, let method): "\(multicast).\(method)"
    case .type(let type): String(describing: type)
    }
  }
}
