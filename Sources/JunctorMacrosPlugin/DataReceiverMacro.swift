internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// `@DataReceiver`: stores the model in the class, and makes it a receiver where it does not say so.
struct DataReceiverMacro: MemberMacro, ExtensionMacro {
  /// Writes the stored slot and, in a class that is refused, what the conformance lacks: one mistake is one error.
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let complaints = Complaints()
    let members = members(node, declaration, complaints)
    complaints.report(to: context)
    return members
  }

  /// Writes the conformance, where the class does not state it.
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard !protocols.isEmpty, declaration.is(ClassDeclSyntax.self) else { return [] }
    let isolation = declaration.isOnMainActor ? "@MainActor " : ""
    let conformance = "\(isolation)JunctorHandover.DataReceiver"
    return [try ExtensionDeclSyntax("extension \(type.trimmed): \(raw: conformance) {}")]
  }

  private static func members(
    _ node: AttributeSyntax, _ declaration: some DeclGroupSyntax, _ complaints: Complaints
  ) -> [DeclSyntax] {
    guard let type = declaration.as(ClassDeclSyntax.self) else {
      if declaration.is(ActorDeclSyntax.self) {
        complaints.add(
          "noClass", at: node,
          "Can't receive data here: an actor cannot be prepared before handOver(_:) returns. "
            + "Make it a class, one of a global actor if need be.")
        return []
      }
      complaints.add(
        "noClass", at: node,
        "Can't receive data here: only an object can be handed a model. Make it a class.")
      return []
    }
    let reading = model(of: type, complaints)
    let model = reading.model
    let access = type.modifiers.contains { isPublic($0.name.tokenKind) } ? "public " : ""
    let isPackage = type.modifiers.contains { $0.name.tokenKind == .keyword(.package) }
    let head = isPackage ? "package " : access
    let isShared = type.isSendable && !type.isOnActor
    let missing = reading.isRefused ? type.standIn(for: model, head) : []
    guard isShared else {
      return missing + [
        """
        /// Where the model and what waits are kept.
        \(raw: head)let handoverSlot = JunctorHandover.HandoverSlot<\(model)>()
        """
      ]
    }
    return missing + [
      """
      private let _sharedHandoverSlot = JunctorHandover.SharedHandoverSlot<\(model)>()
      """,
      """
      /// Where the model and what waits are kept.
      \(raw: head)var handoverSlot: JunctorHandover.HandoverSlot<\(model)> { _sharedHandoverSlot.base }
      """,
    ]
  }

  private static func isPublic(_ kind: TokenKind) -> Bool {
    kind == .keyword(.public) || kind == .keyword(.open)
  }

  /// The type in `prepare(with: Type?)`; the best guess in a class that is refused.
  private static func model(
    of type: ClassDeclSyntax, _ complaints: Complaints
  ) -> (model: TypeSyntax, isRefused: Bool) {
    let methods = type.memberBlock.members.compactMap {
      $0.decl.as(FunctionDeclSyntax.self).flatMap(PrepareMethod.init)
    }
    guard let method = methods.first else {
      complaints.add(
        "prepare", at: type.name,
        "Can't tell what '\(type.name.text)' receives: it has no method prepare(with:) in its "
          + "own declaration. Write func prepare(with model: Model?).")
      return ("Any", true)
    }
    if methods.count > 1 {
      complaints.add(
        "prepare", at: methods[1].parameter,
        "Can't tell what '\(type.name.text)' receives: it has several methods prepare(with:). "
          + "Keep one, and give it a type that covers them all.")
      return ("Any", true)
    }
    let isRefused = !method.check(of: type.name.text, complaints)
    let parameter = method.parameter
    if let optional = parameter.type.as(OptionalTypeSyntax.self) {
      let model = optional.wrappedType.withoutParentheses.trimmed
      // A method that differs in its effects alone might not be told from the one that is added.
      return isRefused ? ("Any", true) : (model, false)
    }
    complaints.add(
      "prepare", at: parameter.type,
      "Can't hand '\(type.name.text)' nothing: what prepare(with:) takes is no optional. "
        + "Write '\(parameter.type.trimmedDescription)?'.",
      remedy: Remedy(
        "make it optional", replacing: parameter.type,
        with: OptionalTypeSyntax(wrappedType: parameter.type.trimmed)))
    return (parameter.type.withoutParentheses.trimmed, true)
  }
}

extension DeclGroupSyntax {
  /// Whether it is written to be on the main actor.
  var isOnMainActor: Bool {
    attributes.attributes.contains { $0.attributeName.lastName == "MainActor" }
  }

  /// Whether it is written to be on an actor.
  var isOnActor: Bool {
    attributes.attributes.contains { $0.attributeName.lastName.hasSuffix("Actor") }
  }

  /// Whether it is written to be Sendable.
  var isSendable: Bool {
    inheritanceClause?.inheritedTypes.contains { $0.type.lastName == "Sendable" } ?? false
  }
}

extension TypeSyntax {
  /// The type in `(Type)`.
  var withoutParentheses: TypeSyntax {
    guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let only = tuple.elements.first, only.firstName == nil
    else { return self }
    return only.type
  }
}
