internal import SwiftSyntax

// The optimiser of Swift 6.3 looks through a module for the types that conform to a protocol which nobody outside sees. It
// overlooks those that macros wrote: with one class of the user's, every call of the protocol's goes to that class, and the
// multicast's memory is taken for that of another. So where a protocol is not seen outside, the conformance has to stand
// in the user's own source. The class then does not state it, and does not compile without it.
extension MulticastWriter {
  /// Whether a protocol is seen outside of its module, as the optimiser counts.
  static func isSeenOutside(_ declaration: ProtocolDeclSyntax, _ scope: [Syntax]) -> Bool {
    isSeenOutside(declaration.modifiers, declaration.attributes)
      && scope.allSatisfy { node in
        guard let group = node.asProtocol((any DeclGroupSyntax).self) else { return false }
        return isSeenOutside(group.modifiers, group.attributes)
      }
  }

  private static func isSeenOutside(
    _ modifiers: DeclModifierListSyntax, _ attributes: AttributeListSyntax
  ) -> Bool {
    let levels: Set<TokenKind> = [.keyword(.public), .keyword(.open), .keyword(.package)]
    return modifiers.contains { levels.contains($0.name.tokenKind) }
      || attributes.attributes.contains { $0.attributeName.lastName == "usableFromInline" }
  }

  /// The types around, from the outermost, each with a dot behind it.
  static func scopeName(_ scope: [Syntax]) -> String {
    scope.reversed().compactMap { node -> String? in
      if let named = node.asProtocol((any NamedDeclSyntax).self) { return named.name.text + "." }
      return node.as(ExtensionDeclSyntax.self).map { $0.extendedType.trimmedDescription + "." }
    }.joined()
  }

  /// What the class inherits from and conforms to, with the colon.
  ///
  /// Where the delegate's protocol is missing so is `Multicasting`, which by itself would take the class off the actor that
  /// a module may be on by default.
  var inheritance: String {
    let types = statesConformance ? [reader.name, "JunctorDelegates.Multicasting"] : []
    let all = (reader.superclass.map { [$0] } ?? []) + types
    return all.isEmpty ? "" : ": " + all.joined(separator: ", ")
  }

  /// Members that do not compile, with a sentence that says what is missing, unless the class is the delegate.
  var conformanceCheck: String {
    let name = reader.name.filter { $0 != "`" }
    let line =
      "\(reader.isolation)extension \(scopeName)\(name)Multicast: \(scopeName)\(name), Multicasting {}"
    return """
      private func _conforms() { self._conforms(self) }
      private func _conforms(_ delegate: \(reader.target)) {}
      @available(*, unavailable, message: "Can't be the delegate yet: the compiler has to read in your own source that it is one. \
      Write '\(line)' beside the protocol, or make the protocol public.")
      private func _conforms(_ other: JunctorDelegates.MulticastCode.Object) {}
      """
  }
}
