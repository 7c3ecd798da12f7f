/// What an event of the history happened to; made readable only when somebody reads it.
///
/// One string and words that nobody counts references of: an event is written in a few nanoseconds.
package struct WiringSubject: Sendable {
  private let name: String
  private let method: StaticString?
  private let type: (any Any.Type)?

  /// Something that has a name: a channel, a set.
  package static func name(_ name: String) -> WiringSubject {
    WiringSubject(name: name, method: nil, type: nil)
  }

  /// A method of a multicast.
  package static func method(_ multicast: String, _ method: StaticString) -> WiringSubject {
    WiringSubject(name: multicast, method: method, type: nil)
  }

  /// A type, a receiver's or a result's, and a name that tells it from others of that type.
  package static func type(_ type: any Any.Type, name: String? = nil) -> WiringSubject {
    WiringSubject(name: name ?? "", method: nil, type: type)
  }

  /// The name, the multicast and its method, or the type's name.
  package var text: String {
    if let method { return "\(name).\(method)" }
    guard let type else { return name }
    return name.isEmpty ? Self.short(type) : "\(Self.short(type)) (\(name))"
  }

  private static func short(_ type: any Any.Type) -> String {
    let name = String(describing: type)
    return name.hasPrefix("any ") ? String(name.dropFirst(4)) : name
  }
}
