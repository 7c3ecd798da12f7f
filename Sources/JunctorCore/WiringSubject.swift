/// What an event of the history happened to; made readable only when somebody reads it.
package enum WiringSubject: Sendable {
  /// Something that has a name: a channel, a set.
  case name(String)
  /// A method of a multicast.
  case method(String, StaticString)
  /// A type, a receiver's or a result's, and a name that tells it from others of that type.
  case type(any Any.Type, name: String? = nil)

  /// The name, the multicast and its method, or the type's name.
  package var text: String {
    switch self {
    case .name(let name): name
    case .method(let multicast, let method): "\(multicast).\(method)"
    case .type(let type, let name):
      name.map { "\(Self.short(type)) (\($0))" } ?? Self.short(type)
    }
  }

  private static func short(_ type: any Any.Type) -> String {
    let name = String(describing: type)
    return name.hasPrefix("any ") ? String(name.dropFirst(4)) : name
  }
}
