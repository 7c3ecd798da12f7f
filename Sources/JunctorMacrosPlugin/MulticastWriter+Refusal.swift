internal import SwiftSyntax

// Where something is refused the class is written all the same, with what the protocol requires and without anything
// behind it. The program does not compile as it is, and what is left to be read are the refusals: not also that the class
// is missing, at each place that names it.
extension MulticastWriter {
  /// Whether a class would spare errors: not where it could not exist.
  static func canStandIn(_ complaints: Complaints) -> Bool {
    complaints.codes.isDisjoint(with: ["local", "actor", "objc", "name"])
  }

  /// A body, or one that is never run.
  func written(_ body: String) -> String { isRefused ? "fatalError()" : body }

  /// A requirement with nothing behind it.
  func declareUnwritten(_ requirement: Requirement) -> String {
    let text = declare(
      requirement, body: "fatalError()", setter: requirement.setter.map { _ in "fatalError()" })
    // A class may name itself by `Self` in results only; in the protocol's extension it may stand anywhere.
    guard isNested else { return text }
    let name = reader.name.filter { $0 != "`" } + "Multicast" + reader.genericArguments
    return text.replacing(/\bSelf(?=[^.\w]|$)/, with: name)
  }

  /// What is not the targets' to answer, and required all the same: static members and initialisers.
  var unforwarded: String {
    guard isRefused else { return "" }
    return reader.declaration.memberBlock.members.compactMap { unforwarded($0.decl) }
      .map { "\(reader.memberAccess)\($0)\n" }.joined()
  }

  private func unforwarded(_ member: DeclSyntax) -> String? {
    if var initialiser = member.as(InitializerDeclSyntax.self) {
      initialiser.leadingTrivia = []
      return initialiser.trimmedDescription + " { fatalError() }"
    }
    if var function = member.as(FunctionDeclSyntax.self), function.modifiers.isStatic {
      function.leadingTrivia = []
      return function.trimmedDescription + " { fatalError() }"
    }
    guard let variable = member.as(VariableDeclSyntax.self), variable.modifiers.isStatic,
      let binding = variable.bindings.first, let type = binding.typeAnnotation?.trimmedDescription
    else { return nil }
    let isSettable = binding.accessorBlock?.trimmedDescription.contains("set") ?? false
    let accessors = "get { fatalError() }" + (isSettable ? " set { fatalError() }" : "")
    return "static var \(binding.pattern.trimmedDescription)\(type) { \(accessors) }"
  }
}

extension DeclModifierListSyntax {
  /// Whether a member belongs to the type.
  fileprivate var isStatic: Bool { contains { $0.name.tokenKind == .keyword(.static) } }
}
