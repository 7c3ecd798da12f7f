internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// `@Multicast`: writes a class that is the delegate and forwards to many.
///
/// The forwarding methods go into an extension of the protocol for multicasts, so that the multicast of a protocol that
/// inherits from this one gets them too; the class adds the list.
struct MulticastMacro: PeerMacro, ExtensionMacro {
  /// Writes the class, and complains about what cannot be forwarded.
  ///
  /// A class is written in any case, so that one mistake is one error: without it the compiler would miss the class
  /// wherever it is named.
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let complaints = Complaints()
    guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
      complaints.add(
        "noProtocol", at: node,
        "Can't make a multicast here: @Multicast stands before a protocol. Move it there.")
      complaints.report(to: context)
      return []
    }
    let writer = MulticastWriter(declaration, node, complaints, context)
    complaints.report(to: context)
    return writer.canStandIn ? [DeclSyntax("\(raw: writer.classText)")] : []
  }

  /// Writes the extensions.
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // What is wrong was reported by the peer's expansion.
    let complaints = Complaints()
    guard let declaration = declaration.as(ProtocolDeclSyntax.self) else { return [] }
    let writer = MulticastWriter(declaration, node, complaints, context)
    guard writer.canStandIn else { return [] }
    return try writer.extensionTexts(of: type.trimmedDescription).map {
      try ExtensionDeclSyntax("\(raw: $0)")
    }
  }
}
