internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension RequirementReader {
  /// Says whether the modifiers allow forwarding.
  func isForwardable(
    _ modifiers: DeclModifierListSyntax, _ name: String, at node: some SyntaxProtocol
  ) -> Bool {
    let found = modifiers.first {
      $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
    }
    guard let found else { return true }
    complaints.add(
      "static", at: found,
      "Can't forward '\(name)': a static requirement belongs to the type and has no targets. "
        + "Make it an instance requirement, or move it to a protocol of its own.")
    return false
  }

  /// Complains about `Self` standing by itself: a multicast is of another type than its targets.
  func findSelf(in node: some SyntaxProtocol, _ name: String) {
    let finder = SelfFinder(viewMode: .sourceAccurate)
    finder.walk(node)
    for place in finder.places {
      complaints.add(
        "self", at: place,
        "Can't forward '\(name)': 'Self' is another type in each target. "
          + "Name a type that all of them share.")
    }
  }

  /// Complains about a result that nobody might give, and about rules that do not fit the result.
  func check(
    _ requirement: Requirement, _ type: TypeSyntax?, at place: some SyntaxProtocol,
    attributes: AttributeListSyntax, of declaration: some WithAttributesSyntax
  ) {
    let rule = requirement.rule
    guard let type, let result = requirement.result else {
      if let attribute = rule.returnsAttribute, attribute.argument("fallback") != nil {
        complaints.add(
          "noResult", at: attribute,
          "Can't use a fallback for '\(requirement.name)': it returns nothing. Leave it out.")
      }
      return
    }
    switch rule.kind {
    case .any, .every:
      if result != "Bool" && result != "Swift.Bool" {
        complaints.add(
          "rule", at: rule.returnsAttribute.map { Syntax($0) } ?? Syntax(place),
          "Can't combine the answers of '\(requirement.name)': .any and .every need Bool, and it "
            + "returns '\(result)'. Use .last, .first, .all or .reduce(…).")
      }
    case .all:
      if !type.is(ArrayTypeSyntax.self) && type.lastName != "Array" {
        complaints.add(
          "rule", at: rule.returnsAttribute.map { Syntax($0) } ?? Syntax(place),
          "Can't collect the answers of '\(requirement.name)': .all joins arrays, and it returns "
            + "'\(result)'. Return an array.")
      }
      return
    default: break
    }
    if requirement.resultIsOptional || rule.anyFallback != nil { return }
    complaints.add(
      "fallback", at: place,
      "Can't forward '\(requirement.name)': it has to return '\(result)', and nobody may answer. "
        + "Give a fallback, or return an optional.",
      remedy: fallbackRemedy(rule, declaration))
  }

  private func fallbackRemedy(
    _ rule: AnswerRule, _ declaration: some WithAttributesSyntax
  ) -> Remedy {
    let fallback = "fallback: <#value#>"
    if let attribute = rule.returnsAttribute ?? rule.optionalAttribute {
      let arguments = attribute.arguments?.trimmedDescription ?? ""
      let name = attribute.attributeName.trimmedDescription
      let all = arguments.isEmpty ? fallback : "\(arguments), \(fallback)"
      let new: AttributeSyntax = "@\(raw: name)(\(raw: all))"
      return Remedy(
        "add a fallback", replacing: attribute,
        with: new.with(\.leadingTrivia, attribute.leadingTrivia)
          .with(\.trailingTrivia, attribute.trailingTrivia))
    }
    var attribute: AttributeSyntax = "@Returns(.last, \(raw: fallback))"
    attribute.leadingTrivia = declaration.leadingTrivia
    attribute.trailingTrivia = .space
    var changed = declaration
    changed.leadingTrivia = []
    changed.attributes.insert(.attribute(attribute), at: changed.attributes.startIndex)
    return Remedy("add '@Returns(.last, \(fallback))'", replacing: declaration, with: changed)
  }

  // MARK: - Reading parts

  /// What `@Returns`, `@Optional` and the protocol say.
  func rule(_ attributes: AttributeListSyntax) -> AnswerRule {
    AnswerRule(attributes, stopsAtFirstError: stopsAtFirstError, complaints: complaints)
  }

  /// The effects of a function.
  func effects(_ effects: FunctionEffectSpecifiersSyntax?) -> Requirement.Effects {
    self.effects(effects?.asyncSpecifier, effects?.throwsClause, effects?.trimmedDescription)
  }

  /// The effects of an accessor.
  func effects(_ effects: AccessorEffectSpecifiersSyntax?) -> Requirement.Effects {
    self.effects(effects?.asyncSpecifier, effects?.throwsClause, effects?.trimmedDescription)
  }

  private func effects(
    _ asyncSpecifier: TokenSyntax?, _ clause: ThrowsClauseSyntax?, _ text: String?
  ) -> Requirement.Effects {
    var effects = Requirement.Effects()
    effects.isAsync = asyncSpecifier != nil
    effects.text = text.map { " " + $0 } ?? ""
    guard let clause else { return effects }
    if clause.throwsSpecifier.tokenKind == .keyword(.rethrows) {
      effects.isRethrowing = true
    } else {
      effects.thrown = clause.type?.trimmedDescription ?? ""
    }
    return effects
  }

  /// Doc comment and attributes, without those that are read here.
  func preamble(_ declaration: some SyntaxProtocol, _ attributes: AttributeListSyntax) -> String {
    let carried = attributes.filter { element in
      guard case .attribute(let attribute) = element else { return true }
      return !["Returns", "Optional"].contains(attribute.attributeName.lastName)
    }
    let lines =
      declaration.leadingTrivia.docLines + carried.map { $0.trimmedDescription }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The modifiers that are carried over: a class needs no `mutating`.
  func modifiers(_ modifiers: DeclModifierListSyntax) -> String {
    modifiers.filter {
      $0.name.tokenKind != .keyword(.mutating) && $0.name.tokenKind != .keyword(.nonmutating)
    }.map { $0.trimmedDescription + " " }.joined()
  }

  /// A name made of the base name and the labels.
  func longName(_ name: String, _ labels: [String]) -> String {
    ([name.filter { $0 != "`" }] + labels.filter { $0 != "_" }).joined(separator: "_")
  }
}

/// Finds `Self` where it stands by itself, not as the base of an associated type.
final class SelfFinder: SyntaxVisitor {
  /// Where it stands.
  private(set) var places: [Syntax] = []

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    if node.name.text == "Self", node.parent?.is(MemberTypeSyntax.self) != true {
      places.append(Syntax(node))
    }
    return .visitChildren
  }
}

extension Trivia {
  /// The lines of doc comments.
  var docLines: [String] {
    compactMap {
      switch $0 {
      case .docLineComment(let text), .docBlockComment(let text): text
      default: nil
      }
    }
  }
}
