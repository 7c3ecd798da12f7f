extension Wiring {
  /// What an object is joined to in this process now, as phrases: `channel 'news' (listens, App/News.swift:12)`.
  ///
  /// - Parameters:
  ///   - object: the object; not retained.
  ///   - limit: how many are told; the rest is counted.
  /// - Complexity: O(number of registrations).
  package static func joined(to object: AnyObject, limit: Int = 5) -> [String] {
    var builder = WiringBuilder()
    for source in WiringRegistry.living() { source.report(to: &builder) }
    guard let id = builder.knownNode(for: object) else { return [] }
    let wiring = builder.finish()
    let names = Dictionary(
      wiring.nodes.map { ($0.id, "\($0.kind) '\(shown($0.label))'") },
      uniquingKeysWith: { first, _ in first })
    let phrases = wiring.edges.filter { $0.from == id || $0.to == id }.map { edge in
      let place = edge.site.map { $0.fileID.isEmpty ? "" : ", \($0)" } ?? ""
      return "\(names[edge.from == id ? edge.to : edge.from] ?? "") (\(edge.kind)\(place))"
    }
    guard phrases.count > limit else { return phrases }
    return phrases.prefix(limit) + ["\(phrases.count - limit) more"]
  }
}
