internal import SwiftParser
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros

/// `@Forwarded`: writes the body of a method that forwards to the multicast list of its class.
struct ForwardedMacro: BodyMacro {
  /// Writes the body, or complains.
  static func expansion(
    of node: AttributeSyntax,
    providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
    in context: some MacroExpansionContext
  ) throws -> [CodeBlockItemSyntax] {
    let complaints = Complaints()
    defer { complaints.report(to: context) }
    guard let function = declaration.as(FunctionDeclSyntax.self) else {
      complaints.add(
        "forwarded", at: node,
        "Can't write a body here: @Forwarded stands before a method. Write this one by hand.")
      return []
    }
    if function.body != nil {
      complaints.add(
        "body", at: function.name,
        "Can't forward '\(function.name.text)': it has a body already. Leave the body out.",
        remedy: Remedy(
          "remove the body", replacing: function, with: function.with(\.body, nil)))
      return ["fatalError()"]
    }
    let reader = RequirementReader(
      complaints: complaints, stopsAtFirstError: node.argument("onError")?.memberName == "stop")
    for parameter in function.signature.parameterClause.parameters
    where (parameter.secondName ?? parameter.firstName).text == "_" {
      complaints.add(
        "unnamed", at: parameter,
        "Can't forward '\(function.name.text)': a parameter without a name cannot be passed on. "
          + "Give it a name.")
    }
    guard let requirement = reader.read(function), complaints.isEmpty else {
      return ["fatalError()"]
    }
    let forwarding = Forwarding(
      list: "self." + list(node), target: nil, optional: nil)
    let text =
      requirement.rule.isOptional
      ? forwarding.optionalStatements(requirement) : forwarding.statements(requirement)
    return ["\(raw: text)"]
  }

  /// The name of the list's property.
  private static func list(_ node: AttributeSyntax) -> String {
    guard let literal = node.argument("to")?.as(StringLiteralExprSyntax.self),
      let name = literal.representedLiteralValue
    else { return "targets" }
    return name
  }
}
