internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// A method `prepare(with:)` as a class declares it.
struct PrepareMethod {
  /// The method.
  let declaration: FunctionDeclSyntax
  /// What it is handed.
  let parameter: FunctionParameterSyntax

  /// Reads a method; `nil` for any other.
  init?(_ declaration: FunctionDeclSyntax) {
    let parameters = declaration.signature.parameterClause.parameters
    guard declaration.name.text == "prepare", parameters.count == 1, let only = parameters.first,
      only.firstName.text == "with"
    else { return nil }
    self.declaration = declaration
    parameter = only
  }

  /// Complains about what a receiver's method cannot do: wait, or fail.
  func check(of type: String, _ complaints: Complaints) -> Bool {
    guard let effects = declaration.signature.effectSpecifiers else { return true }
    let remedy = { (word: String) in
      Remedy(
        "remove '\(word)'", replacing: declaration,
        with: declaration.with(\.signature.effectSpecifiers, nil))
    }
    if let suspension = effects.asyncSpecifier {
      complaints.add(
        "effects", at: suspension,
        "Can't wait for '\(type)' to be prepared: handOver(_:) returns when prepare(with:) has. "
          + "Take 'async' out, and start a task in it for what takes time.",
        remedy: remedy(effects.trimmedDescription))
      return false
    }
    guard let clause = effects.throwsClause else { return true }
    complaints.add(
      "effects", at: clause,
      "Can't let '\(type)' refuse a model: nobody catches what prepare(with:) throws. "
        + "Take 'throws' out, and show the error where the model is shown.",
      remedy: remedy(effects.trimmedDescription))
    return false
  }
}

extension ClassDeclSyntax {
  /// What a class that is refused lacks of a receiver, with nothing behind it.
  func standIn(for model: TypeSyntax, _ access: String) -> [DeclSyntax] {
    let method: DeclSyntax = """
      \(raw: access)func prepare(with model: Model?) { fatalError() }
      """
    if names("Model") { return [method] }
    return ["\(raw: access)typealias Model = \(model)", method]
  }

  /// Whether a type of that name is declared in the class, or is one of its parameters.
  private func names(_ name: String) -> Bool {
    memberBlock.members.contains {
      $0.decl.asProtocol((any NamedDeclSyntax).self)?.name.text == name
    } || genericParameterClause?.parameters.contains { $0.name.text == name } ?? false
  }
}
