internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// `@Returns`: is read by `@Multicast` and `@Forwarded`, and adds nothing itself.
struct ReturnsMacro: PeerMacro {
  /// Adds nothing; complains where nobody reads the attribute.
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    MarkerCheck.check(node, on: declaration, in: context)
    return []
  }
}

/// `@Optional`: is read by `@Multicast` and `@Forwarded`, and adds nothing itself.
struct OptionalMacro: PeerMacro {
  /// Adds nothing; complains where nobody reads the attribute.
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    MarkerCheck.check(node, on: declaration, in: context)
    return []
  }
}

/// Complains about an attribute that nobody reads.
enum MarkerCheck {
  /// Complains unless the declaration is one that `@Multicast` or `@Forwarded` reads.
  static func check(
    _ node: AttributeSyntax, on declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) {
    let isForwarded = declaration.asProtocol((any WithAttributesSyntax).self)?
      .attributes.attributes.contains { $0.attributeName.lastName == "Forwarded" }
    let isInMulticast = context.lexicalContext.first?.as(ProtocolDeclSyntax.self)?
      .attributes.attributes.contains { $0.attributeName.lastName == "Multicast" }
    if isForwarded == true || isInMulticast == true { return }
    let name = node.attributeName.lastName
    let complaints = Complaints()
    complaints.add(
      "unread", at: node,
      "Can't use '@\(name)' here: nothing reads it. Put it on a requirement of a protocol with "
        + "@Multicast, or on a method with @Forwarded.")
    complaints.report(to: context)
  }
}
