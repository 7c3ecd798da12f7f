internal import SwiftSyntax

/// How the answers of many targets become one, and what happens around it: what `@Returns`, `@Optional` and `@Multicast`
/// say.
struct AnswerRule {
  /// How many answers become one.
  enum Kind {
    /// That of the last target that answered.
    case last
    /// That of the first target that answered.
    case first
    /// Whether any answer is `true`.
    case any
    /// Whether all answers are `true`.
    case every
    /// All of them, joined.
    case all
    /// Combined by an expression.
    case reduce(ExprSyntax)
  }

  /// How many answers become one.
  var kind = Kind.last
  /// What `@Returns` returns where nobody answers.
  var fallback: ExprSyntax?
  /// Whether a target need not implement it.
  var isOptional = false
  /// What `@Optional` returns where nobody answers.
  var optionalFallback: ExprSyntax?
  /// Whether the first error ends the call.
  var stopsAtFirstError = false
  /// Whether the targets are called at the same time.
  var isConcurrent = false
  /// The attribute `@Returns`, for complaints at its place.
  var returnsAttribute: AttributeSyntax?
  /// The attribute `@Optional`, for complaints at its place.
  var optionalAttribute: AttributeSyntax?

  /// Reads the attributes of a requirement.
  init(_ attributes: AttributeListSyntax, stopsAtFirstError: Bool, complaints: Complaints) {
    self.stopsAtFirstError = stopsAtFirstError
    for attribute in attributes.attributes {
      switch attribute.attributeName.lastName {
      case "Returns":
        returnsAttribute = attribute
        readReturns(attribute, complaints)
      case "Optional":
        optionalAttribute = attribute
        isOptional = true
        optionalFallback = attribute.argument("fallback")
      default: break
      }
    }
  }

  /// What is returned where nobody answers.
  var anyFallback: ExprSyntax? { fallback ?? optionalFallback }

  private mutating func readReturns(_ attribute: AttributeSyntax, _ complaints: Complaints) {
    fallback = attribute.argument("fallback")
    if let policy = attribute.argument("onError")?.memberName {
      stopsAtFirstError = policy == "stop"
    }
    isConcurrent = attribute.argument("calls")?.memberName == "concurrent"
    guard case .argumentList(let list)? = attribute.arguments,
      let rule = list.first(where: { $0.label == nil })?.expression
    else { return }
    if let call = rule.as(FunctionCallExprSyntax.self),
      call.calledExpression.memberName == "reduce",
      let combine = call.arguments.first?.expression
        ?? call.trailingClosure.map({ ExprSyntax($0) })
    {
      kind = .reduce(combine.trimmed)
      return
    }
    switch rule.memberName {
    case "last": kind = .last
    case "first": kind = .first
    case "any": kind = .any
    case "every": kind = .every
    case "all": kind = .all
    default:
      complaints.add(
        "rule", at: rule,
        "Can't read '\(rule.trimmedDescription)': the rule has to be written out here. "
          + "Use .last, .first, .any, .every, .all or .reduce(…).")
    }
  }
}

extension ExprSyntax {
  /// The last name of `.name`, `Type.name` or `name`.
  var memberName: String? {
    if let member = self.as(MemberAccessExprSyntax.self) { return member.declName.baseName.text }
    return self.as(DeclReferenceExprSyntax.self)?.baseName.text
  }
}

extension AttributeListSyntax {
  /// The attributes themselves, without what stands in `#if`.
  var attributes: [AttributeSyntax] {
    compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
  }
}

extension AttributeSyntax {
  /// The argument with a label.
  func argument(_ label: String) -> ExprSyntax? {
    guard case .argumentList(let list)? = arguments else { return nil }
    return list.first { $0.label?.text == label }?.expression.trimmed
  }
}

extension TypeSyntax {
  /// The last part of a dotted name.
  var lastName: String {
    if let name = self.as(IdentifierTypeSyntax.self) { return name.name.text }
    if let member = self.as(MemberTypeSyntax.self) { return member.name.text }
    return trimmedDescription
  }

  /// Whether it is spelt as an optional.
  var isOptional: Bool {
    self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
      || (self.is(IdentifierTypeSyntax.self) || self.is(MemberTypeSyntax.self))
        && lastName == "Optional"
  }

  /// Whether it is spelt as no value at all.
  var isVoid: Bool {
    if let tuple = self.as(TupleTypeSyntax.self) { return tuple.elements.isEmpty }
    return trimmedDescription == "Void" || trimmedDescription == "Swift.Void"
  }
}
