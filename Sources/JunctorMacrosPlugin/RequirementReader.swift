internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// Reads the requirements of a protocol, and complains about those that cannot be forwarded, each at its place.
struct RequirementReader {
  /// Where complaints go.
  let complaints: Complaints
  /// Whether the first error ends a call, unless `@Returns` says otherwise.
  let stopsAtFirstError: Bool

  /// Reads one member; nothing for what is no requirement or cannot be forwarded.
  func read(_ member: DeclSyntax) -> [Requirement] {
    if let function = member.as(FunctionDeclSyntax.self) {
      return read(function).map { [$0] } ?? []
    }
    if let variable = member.as(VariableDeclSyntax.self) { return read(variable) }
    if let declaration = member.as(SubscriptDeclSyntax.self) {
      return read(declaration).map { [$0] } ?? []
    }
    if let initialiser = member.as(InitializerDeclSyntax.self) {
      complaints.add(
        "initialiser", at: initialiser,
        "Can't forward 'init': an initialiser makes an object and has no targets yet. "
          + "Move it to a protocol of its own.")
    }
    return []
  }

  // MARK: - Methods

  /// Reads a method; `nil` where it cannot be forwarded.
  func read(_ function: FunctionDeclSyntax) -> Requirement? {
    let name = function.name.text
    guard isForwardable(function.modifiers, name, at: function) else { return nil }
    if case .binaryOperator = function.name.tokenKind {
      complaints.add(
        "operator", at: function.name,
        "Can't forward '\(name)': an operator belongs to the type and has no targets. "
          + "Declare a method instead.")
      return nil
    }
    var parameters = ParameterReader(
      owner: name, complaints: complaints, makeName: LocalNames(avoiding: function))
    parameters.read(function.signature.parameterClause.parameters)
    findSelf(in: function.signature, name)
    let effects = effects(function.signature.effectSpecifiers)
    let type = function.signature.returnClause?.type
    var rule = rule(function.attributes)
    if effects.isRethrowing { rule.stopsAtFirstError = true }
    let generics = function.genericParameterClause?.trimmedDescription ?? ""
    let clause = function.genericWhereClause.map { " " + $0.trimmedDescription } ?? ""
    let arrow = function.signature.returnClause.map { " " + $0.trimmedDescription } ?? ""
    let head =
      "func \(name)\(generics)(\(parameters.declaration.joined(separator: ", ")))"
      + "\(effects.text)\(arrow)\(clause)"
    let requirement = Requirement(
      kind: .method, preamble: preamble(function, function.attributes),
      modifiers: modifiers(function.modifiers), head: head,
      call: "\(Requirement.target).\(name)(\(parameters.arguments.joined(separator: ", ")))",
      result: type.flatMap { $0.isVoid ? nil : $0.trimmedDescription },
      resultIsOptional: type?.isOptional ?? false, effects: effects, rule: rule, name: name,
      longName: longName(name, parameters.labels), signature: head,
      makeName: LocalNames(avoiding: function))
    check(requirement, type, at: function.name, attributes: function.attributes, of: function)
    return requirement
  }

  // MARK: - Properties and subscripts

  private func read(_ variable: VariableDeclSyntax) -> [Requirement] {
    variable.bindings.compactMap { binding in
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
        let type = binding.typeAnnotation?.type,
        isForwardable(variable.modifiers, name, at: variable)
      else { return nil }
      findSelf(in: type, name)
      guard let accessors = accessors(binding.accessorBlock, name) else { return nil }
      let head = "var \(name): \(type.trimmedDescription)"
      let requirement = Requirement(
        kind: .property, preamble: preamble(variable, variable.attributes),
        modifiers: modifiers(variable.modifiers), head: head, call: "\(Requirement.target).\(name)",
        result: type.trimmedDescription, resultIsOptional: type.isOptional,
        effects: accessors.effects, setter: accessors.setter, rule: rule(variable.attributes),
        name: name, longName: name, signature: head,
        makeName: LocalNames(avoiding: variable))
      check(requirement, type, at: binding.pattern, attributes: variable.attributes, of: variable)
      return requirement
    }
  }

  private func read(_ declaration: SubscriptDeclSyntax) -> Requirement? {
    guard isForwardable(declaration.modifiers, "subscript", at: declaration) else { return nil }
    var parameters = ParameterReader(
      owner: "subscript", complaints: complaints, makeName: LocalNames(avoiding: declaration))
    parameters.read(declaration.parameterClause.parameters, isSubscript: true)
    findSelf(in: declaration.parameterClause, "subscript")
    findSelf(in: declaration.returnClause, "subscript")
    guard let accessors = accessors(declaration.accessorBlock, "subscript") else { return nil }
    let type = declaration.returnClause.type
    let generics = declaration.genericParameterClause?.trimmedDescription ?? ""
    let clause = declaration.genericWhereClause.map { " " + $0.trimmedDescription } ?? ""
    let head =
      "subscript\(generics)(\(parameters.declaration.joined(separator: ", ")))"
      + " \(declaration.returnClause.trimmedDescription)\(clause)"
    let requirement = Requirement(
      kind: .subscript, preamble: preamble(declaration, declaration.attributes),
      modifiers: modifiers(declaration.modifiers), head: head,
      call: "\(Requirement.target)[\(parameters.arguments.joined(separator: ", "))]",
      result: type.trimmedDescription, resultIsOptional: type.isOptional,
      effects: accessors.effects, setter: accessors.setter, rule: rule(declaration.attributes),
      name: "subscript", longName: longName("subscript", parameters.labels), signature: head,
      makeName: LocalNames(avoiding: declaration))
    check(
      requirement, type, at: declaration.subscriptKeyword, attributes: declaration.attributes,
      of: declaration)
    return requirement
  }

  private func accessors(
    _ block: AccessorBlockSyntax?, _ name: String
  ) -> (effects: Requirement.Effects, setter: Requirement.Setter?)? {
    guard let block, case .accessors(let list) = block.accessors else { return nil }
    var found = Requirement.Effects()
    var setter: Requirement.Setter?
    for accessor in list {
      switch accessor.accessorSpecifier.tokenKind {
      case .keyword(.get): found = effects(accessor.effectSpecifiers)
      case .keyword(.set): setter = Requirement.Setter()
      default:
        complaints.add(
          "accessor", at: accessor,
          "Can't forward '\(name)': '\(accessor.accessorSpecifier.text)' lends storage that "
            + "many targets do not share. Declare { get set } instead.")
        return nil
      }
    }
    return (found, setter)
  }
}
