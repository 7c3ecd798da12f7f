internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// What `@Multicast` needs to know of a protocol, read from syntax.
struct ProtocolReader {
  /// The protocol.
  let declaration: ProtocolDeclSyntax
  /// Where complaints go.
  let complaints: Complaints
  /// Whether the first error ends a call, unless `@Returns` says otherwise.
  let stopsAtFirstError: Bool
  /// The multicast classes of inherited protocols, as they are written.
  let inherited: [String]

  /// Reads the attribute's arguments.
  init(_ declaration: ProtocolDeclSyntax, attribute: AttributeSyntax, complaints: Complaints) {
    self.declaration = declaration
    self.complaints = complaints
    stopsAtFirstError = attribute.argument("onError")?.memberName == "stop"
    let protocols = Set(
      (declaration.inheritanceClause?.inheritedTypes.map(\.type) ?? []).flatMap(Self.parts)
        .map(\.trimmedDescription))
    var inherited: [String] = []
    var isInheriting = false
    if case .argumentList(let list)? = attribute.arguments {
      for argument in list {
        if let label = argument.label?.text { isInheriting = label == "inheriting" }
        guard isInheriting, let member = argument.expression.as(MemberAccessExprSyntax.self),
          member.declName.baseName.text == "self", let base = member.base
        else { continue }
        inherited.append(Self.multicast(of: base, protocols))
      }
    }
    self.inherited = inherited
  }

  /// The multicast class that an argument means: `Base.self`, `(any Base<Item>).self` or `BaseMulticast.self`.
  ///
  /// The compiler looks for no names that macros make when it reads a macro's arguments, so that a protocol of the same
  /// module has to be named itself. What the protocol inherits from by that name is a protocol.
  private static func multicast(of base: ExprSyntax, _ protocols: Set<String>) -> String {
    let text = base.trimmedDescription
    if protocols.contains(text) { return text + "Multicast" }
    guard text.hasPrefix("("), text.hasSuffix(")") else { return text }
    let inner = text.dropFirst().dropLast().drop { $0 == " " }
    let name = inner.hasPrefix("any ") ? inner.dropFirst(4) : inner
    guard let generic = name.firstIndex(of: "<") else { return name + "Multicast" }
    return name[..<generic] + "Multicast" + name[generic...]
  }

  /// The protocol's name.
  var name: String { declaration.name.text }

  /// The access level as it is written before members; nothing for one that members inherit.
  var memberAccess: String {
    for modifier in declaration.modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.public), .keyword(.open): return "public "
      case .keyword(.package): return "package "
      default: continue
      }
    }
    return ""
  }

  /// The access level as it is written before the class.
  var classAccess: String {
    for modifier in declaration.modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.private), .keyword(.fileprivate), .keyword(.internal):
        return modifier.trimmedDescription + " "
      default: continue
      }
    }
    return memberAccess
  }

  /// `nonisolated`, where it is written.
  var isolation: String {
    declaration.modifiers.contains { $0.name.tokenKind == .keyword(.nonisolated) }
      ? "nonisolated " : ""
  }

  /// The attributes that the class and the extensions take over.
  ///
  /// Any other actor's attribute reaches them through the conformance; another macro's must not be copied.
  var attributes: [String] {
    declaration.attributes.attributes.filter {
      ["available", "MainActor", "_spi"].contains($0.attributeName.lastName)
        || $0.attributeName.lastName.hasSuffix("Actor")
    }.map(\.trimmedDescription)
  }

  /// The primary associated types.
  var primaries: [String] {
    declaration.primaryAssociatedTypeClause?.primaryAssociatedTypes.map(\.name.text) ?? []
  }

  /// All associated types; those that are not primary were complained about.
  private var associated: [String] {
    let others = declaration.memberBlock.members.compactMap {
      $0.decl.as(AssociatedTypeDeclSyntax.self)?.name.text
    }
    return primaries + others.filter { !primaries.contains($0) }
  }

  /// What a target is called as, with the associated types as they are named in the class and the protocol.
  var target: String { "any \(name)\(arguments)" }

  /// The associated types in angle brackets.
  var arguments: String { primaries.isEmpty ? "" : "<\(primaries.joined(separator: ", "))>" }

  /// What the class is generic over, in angle brackets.
  var genericArguments: String {
    associated.isEmpty ? "" : "<\(associated.joined(separator: ", "))>"
  }

  /// The superclass, where the protocol asks for one.
  var superclass: String? {
    let types = declaration.inheritanceClause?.inheritedTypes.map(\.type) ?? []
    let isObject = types.flatMap(Self.parts).contains { $0.lastName == "NSObjectProtocol" }
    return isObject ? "NSObject" : nil
  }

  /// The class's generic parameters, with what the associated types inherit from.
  var genericParameters: String {
    if associated.isEmpty { return "" }
    let parameters = associated.map { name in
      let inherited = associatedType(name)?.inheritanceClause?.inheritedTypes.trimmedDescription
      return inherited.map { "\(name): \($0.replacing(",", with: " &"))" } ?? name
    }
    return "<\(parameters.joined(separator: ", "))>"
  }

  /// The class's `where` clause, made of those of the protocol and its associated types.
  var genericWhere: String {
    let clauses =
      [declaration.genericWhereClause] + associated.map { associatedType($0)?.genericWhereClause }
    let requirements = clauses.compactMap { $0 }.flatMap(\.requirements).map { requirement in
      requirement.requirement.trimmedDescription.replacing("Self.", with: "")
    }.filter { !$0.hasPrefix("Self") }
    return requirements.isEmpty ? "" : " where \(requirements.joined(separator: ", "))"
  }

  private func associatedType(_ name: String) -> AssociatedTypeDeclSyntax? {
    declaration.memberBlock.members.lazy.compactMap { $0.decl.as(AssociatedTypeDeclSyntax.self) }
      .first { $0.name.text == name }
  }

  // MARK: - Checks

  /// Complains about a protocol that cannot be a multicast's.
  func check(_ context: some MacroExpansionContext) {
    let isLocal = context.lexicalContext.contains {
      $0.is(FunctionDeclSyntax.self) || $0.is(ClosureExprSyntax.self)
        || $0.is(InitializerDeclSyntax.self) || $0.is(AccessorDeclSyntax.self)
    }
    if isLocal {
      complaints.add(
        "local", at: declaration.name,
        "Can't make a multicast of '\(name)': a protocol inside a function cannot be extended. "
          + "Move it out of the function.")
    }
    checkInheritance()
    checkObjectiveC()
    checkNames()
    for member in declaration.memberBlock.members.flatMap({ Self.declarations($0.decl) }) {
      guard let type = member.as(AssociatedTypeDeclSyntax.self),
        !primaries.contains(type.name.text)
      else { continue }
      complaints.add(
        "associated", at: type,
        "Can't make a multicast of '\(name)': '\(type.name.text)' differs between targets. "
          + "Make it a primary associated type.", remedy: primaryRemedy(type.name.text))
    }
  }

  /// Complains about what the class would answer itself: its own members come before those that forward.
  private func checkNames() {
    let own: Set = ["targets", "multicastRegistry", "DelegateMethod", "MulticastTarget"]
    for member in declaration.memberBlock.members.flatMap({ Self.declarations($0.decl) }) {
      let names: [TokenSyntax] =
        if let variable = member.as(VariableDeclSyntax.self) {
          variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }
        } else if let type = member.as(AssociatedTypeDeclSyntax.self) {
          [type.name]
        } else {
          []
        }
      for name in names where own.contains(name.text.filter { $0 != "`" }) {
        complaints.add(
          "name", at: name,
          "Can't forward '\(name.text)': a multicast has a member of that name itself. "
            + "Give it another name.")
      }
    }
  }

  /// A declaration, or those in the clauses of an `#if`.
  private static func declarations(_ declaration: DeclSyntax) -> [DeclSyntax] {
    guard let condition = declaration.as(IfConfigDeclSyntax.self) else { return [declaration] }
    return condition.clauses.flatMap { clause -> [DeclSyntax] in
      guard case .decls(let inner)? = clause.elements else { return [] }
      return inner.flatMap { declarations($0.decl) }
    }
  }

  private func checkObjectiveC() {
    let attribute = declaration.attributes.attributes.first {
      $0.attributeName.lastName == "objc"
    }
    guard let attribute else { return }
    complaints.add(
      "objc", at: attribute,
      "Can't make a multicast of '\(name)': what Objective-C is to call cannot be written in an "
        + "extension. Write the class by hand with @Forwarded.")
  }

  private func primaryRemedy(_ type: String) -> Remedy {
    let all = primaries + [type]
    let clause = PrimaryAssociatedTypeClauseSyntax(
      primaryAssociatedTypes: PrimaryAssociatedTypeListSyntax(
        all.enumerated().map { index, name in
          PrimaryAssociatedTypeSyntax(
            name: .identifier(name),
            trailingComma: index < all.count - 1 ? .commaToken(trailingTrivia: .space) : nil)
        }))
    var changed = declaration
    changed.primaryAssociatedTypeClause = clause.with(
      \.trailingTrivia, declaration.name.trailingTrivia)
    changed.name.trailingTrivia = []
    return Remedy("make '\(type)' primary", replacing: declaration, with: changed)
  }

  private func checkInheritance() {
    var isClassBound = false
    let types = declaration.inheritanceClause?.inheritedTypes.map(\.type) ?? []
    for type in types.flatMap(Self.parts) {
      switch type.lastName {
      case "AnyObject", "class": isClassBound = true
      case "Sendable", "SendableMetatype", "Copyable", "Escapable": continue
      case "NSObjectProtocol": isClassBound = true
      case "Actor", "DistributedActor", "AnyActor", "GlobalActor":
        complaints.add(
          "actor", at: type,
          "Can't make a multicast of '\(name)': only actors conform to it, and a multicast is a "
            + "class. Inherit from AnyObject and Sendable, with asynchronous methods.")
        isClassBound = true
      default:
        isClassBound = true
        checkInherited(type)
      }
    }
    let requirements = declaration.genericWhereClause?.requirements.map(\.trimmedDescription) ?? []
    if requirements.contains(where: { $0.hasPrefix("Self") && $0.contains("AnyObject") }) {
      isClassBound = true
    }
    if !isClassBound {
      complaints.add(
        "classBound", at: declaration.name,
        "Can't make a multicast of '\(name)': a structure could conform to it, and only objects "
          + "can be held weakly. Inherit from AnyObject.", remedy: classBoundRemedy)
    }
  }

  private func checkInherited(_ type: TypeSyntax) {
    let text = type.trimmedDescription
    let multicast = text.prefix { $0 != "<" } + "Multicast"
    let isCovered = inherited.contains { $0.prefix { $0 != "<" } == multicast }
    if isCovered { return }
    complaints.add(
      "inherited", at: type,
      "Can't forward what '\(text)' requires: it is declared elsewhere. If it has a multicast "
        + "too, name it: @Multicast(inheriting: \(Self.metatype(of: text))). Otherwise write the class by "
        + "hand with @Forwarded.", remedy: inheritingRemedy(text))
  }

  /// How a protocol is named as an argument.
  private static func metatype(of type: String) -> String {
    type.contains("<") ? "(any \(type)).self" : "\(type).self"
  }

  private func inheritingRemedy(_ type: String) -> Remedy? {
    let attribute = declaration.attributes.attributes.first {
      $0.attributeName.lastName == "Multicast"
    }
    guard let attribute else { return nil }
    let former = attribute.arguments?.trimmedDescription ?? ""
    let added = Self.metatype(of: type)
    let bare = former.hasPrefix("inheriting: ") ? String(former.dropFirst(12)) : former
    let all = "inheriting: " + added + (bare.isEmpty ? "" : ", " + bare)
    let name = attribute.attributeName.trimmedDescription
    let changed: AttributeSyntax = "@\(raw: name)(\(raw: all))"
    return Remedy(
      "add 'inheriting: \(added)'", replacing: attribute,
      with: changed.with(\.leadingTrivia, attribute.leadingTrivia)
        .with(\.trailingTrivia, attribute.trailingTrivia))
  }

  private var classBoundRemedy: Remedy {
    var changed = declaration
    let object = InheritedTypeSyntax(type: TypeSyntax("AnyObject"))
    if var clause = declaration.inheritanceClause {
      let first = object.with(\.trailingComma, .commaToken(trailingTrivia: .space))
      clause.inheritedTypes.insert(first, at: clause.inheritedTypes.startIndex)
      changed.inheritanceClause = clause
    } else {
      changed.name.trailingTrivia = []
      changed.primaryAssociatedTypeClause?.trailingTrivia = []
      changed.inheritanceClause = InheritanceClauseSyntax(
        colon: .colonToken(trailingTrivia: .space), inheritedTypes: [object],
        trailingTrivia: .space)
    }
    return Remedy("add 'AnyObject'", replacing: declaration, with: changed)
  }

  /// The parts of a composition.
  private static func parts(_ type: TypeSyntax) -> [TypeSyntax] {
    if let composition = type.as(CompositionTypeSyntax.self) {
      return composition.elements.flatMap { parts($0.type) }
    }
    if let attributed = type.as(AttributedTypeSyntax.self) { return parts(attributed.baseType) }
    return [type]
  }
}
