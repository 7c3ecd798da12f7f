internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// The requirements of a protocol, with the `#if`s around them.
indirect enum Member {
  /// A requirement, and how its optional method is named.
  case requirement(Requirement, optional: String?)
  /// The clauses of an `#if`.
  case condition([(keyword: String, members: [Member])])
}

/// Writes what `@Multicast` adds.
struct MulticastWriter {
  /// What is known of the protocol.
  let reader: ProtocolReader
  /// What it requires.
  let members: [Member]
  /// Whether the protocol lies in a type. Its extension would not see that type's names; its class does.
  let isNested: Bool
  /// Whether the class says itself that it is the delegate; see `MulticastWriter+Conformance`.
  let statesConformance: Bool
  /// The types around, each with a dot behind it.
  let scopeName: String
  /// Whether something is wrong; see `MulticastWriter+Refusal`.
  let isRefused: Bool
  /// Whether a class can be written nevertheless.
  let canStandIn: Bool

  /// Reads the protocol, and complains about what cannot be forwarded.
  init(
    _ declaration: ProtocolDeclSyntax, _ node: AttributeSyntax, _ complaints: Complaints,
    _ context: some MacroExpansionContext
  ) {
    reader = ProtocolReader(declaration, attribute: node, complaints: complaints)
    reader.check(context)
    isNested = !context.lexicalContext.isEmpty
    statesConformance = Self.isSeenOutside(declaration, context.lexicalContext)
    scopeName = Self.scopeName(context.lexicalContext)
    let file = context.location(of: declaration)?.file.trimmedDescription ?? ""
    let scope = context.lexicalContext.map { $0.trimmedDescription.prefix { $0 != "{" } }
    var collector = MemberCollector(
      reader: RequirementReader(
        complaints: complaints, stopsAtFirstError: reader.stopsAtFirstError),
      scope: "\(file) \(scope.joined(separator: " ")) \(reader.name)")
    members = collector.collect(declaration.memberBlock.members)
    isRefused = !complaints.isEmpty
    canStandIn = Self.canStandIn(complaints)
  }

  /// All requirements, in whatever `#if`.
  private func all(_ members: [Member]) -> [Requirement] {
    members.flatMap { member in
      switch member {
      case .requirement(let requirement, _): [requirement]
      case .condition(let clauses): clauses.flatMap { all($0.members) }
      }
    }
  }

  /// Writes a text for each requirement, within the same `#if`s.
  private func render(
    _ members: [Member], _ text: (Requirement, String?) -> String?
  ) -> String {
    members.map { member -> String in
      switch member {
      case .requirement(let requirement, let optional):
        return text(requirement, optional).map { $0 + "\n" } ?? ""
      case .condition(let clauses):
        let inner = clauses.map { ($0.keyword, render($0.members, text)) }
        if inner.allSatisfy({ $0.1.isEmpty }) { return "" }
        return inner.map { "\($0)\n\($1)" }.joined() + "#endif\n"
      }
    }.joined()
  }

  private var attributeLines: String { reader.attributes.map { $0 + "\n" }.joined() }

  // MARK: - Extensions

  /// The extension that forwards and, where there are optional methods, the one with the defaults.
  func extensionTexts(of type: String) -> [String] {
    let available = reader.attributes.filter { $0.hasPrefix("@available") || $0.hasPrefix("@_spi") }
    let head =
      available.map { $0 + "\n" }.joined() + "\(reader.isolation)extension \(type)"
    let forwarding =
      isNested
      ? [] : ["\(head) where Self: JunctorDelegates.Multicasting {\n\(forwards)\(unforwarded)}"]
    let hasOptional = all(members).contains { $0.rule.isOptional }
    guard hasOptional else { return forwarding }
    let defaults = render(members) { requirement, optional in
      optional.map { makeDefault(requirement, $0) }
    }
    return forwarding + ["\(head) {\n\(defaults)}"]
  }

  private var forwards: String {
    render(members) { requirement, optional in forward(requirement, optional) }
  }

  private func forward(_ requirement: Requirement, _ optional: String?) -> String {
    if isRefused { return declareUnwritten(requirement) }
    let list = "JunctorDelegates.MulticastList<\(reader.target)>(_of: self.multicastRegistry)"
    let forwarding = Forwarding(
      list: list, target: reader.target, optional: optional)
    let body = forwarding.statements(requirement)
    let setter = requirement.setter.map { _ in forwarding.assignment(requirement) }
    return declare(requirement, body: body, setter: setter)
  }

  private func makeDefault(_ requirement: Requirement, _ optional: String) -> String {
    if isRefused { return declareUnwritten(requirement) }
    let note = "\(optional)._noteDefault(of: self)"
    let rule = requirement.rule
    let value = (rule.optionalFallback ?? rule.fallback).map(\.description)
    let isArray = if case .all = rule.kind { true } else { false }
    let result = requirement.result.map { _ in
      "\nreturn \(value ?? (isArray && !requirement.resultIsOptional ? "[]" : "nil"))"
    }
    return declare(
      requirement, body: note + (result ?? ""), setter: requirement.setter.map { _ in note })
  }

  /// Declares a requirement with a body as it is written.
  func declare(_ requirement: Requirement, body: String, setter: String?) -> String {
    let head =
      requirement.preamble + reader.memberAccess + requirement.modifiers + requirement.head
    if requirement.kind == .method { return "\(head) {\n\(body)\n}" }
    let value = requirement.newValue
    let name = value == "newValue" ? "" : "(\(value))"
    let set = setter.map { "set\(name) {\n\($0)\n}\n" } ?? ""
    return "\(head) {\nget\(requirement.effects.text) {\n\(body)\n}\n\(set)}"
  }

  // MARK: - Class

  /// The class that is the delegate.
  var classText: String {
    let name = reader.name.filter { $0 != "`" } + "Multicast"
    let access = reader.memberAccess
    let faces = reader.inherited.map { "\n\($0)._addFaces(of: target, to: faces)" }.joined()
    let list = "JunctorDelegates.MulticastList<\(reader.target)>(_of: self.multicastRegistry)"
    return """
      /// Stands where a `\(reader.name)` is wanted and forwards every call to many targets, which it holds weakly.
      \(attributeLines)\(reader.isolation)\(reader.classAccess)final class \(name)\(reader.genericParameters)\
      \(inheritance)\(reader.genericWhere) {
      /// What the targets are called as.
      \(access)typealias MulticastTarget = \(reader.target)

      /// Who is on the list.
      \(access)nonisolated let multicastRegistry: JunctorDelegates.MulticastRegistry

      /// Makes a multicast without targets.
      ///
      /// - Parameters:
      ///   - label: what it is called in reports and in the wiring.
      ///   - fileID: the file that makes it.
      ///   - line: the line that makes it.
      \(access)nonisolated init(
      label: JunctorDelegates.MulticastCode.Label = "\(name)",
      fileID: JunctorDelegates.MulticastCode.File = #fileID,
      line: JunctorDelegates.MulticastCode.Line = #line
      ) {
      self.multicastRegistry = JunctorDelegates.MulticastRegistry(
      label: label, site: JunctorDelegates.SourceSite(fileID: fileID, line: line))
      }

      \(addition("behind all others of its priority", "priority: JunctorDelegates.MulticastCode.Priority = 0, ", ".priority(priority)", "priority: targets of a higher priority are called first.", access))

      \(addition("directly before another, with that one's priority", "before anchor: JunctorDelegates.MulticastCode.Object, ", ".before(anchor)", "anchor: the other one; if it is not there, the target is appended.", access))

      \(addition("directly after another, with that one's priority", "after anchor: JunctorDelegates.MulticastCode.Object, ", ".after(anchor)", "anchor: the other one; if it is not there, the target is appended.", access))

      /// The living targets, in the order in which they are called.
      \(access)var targets: [\(reader.target)] {
      \(written("\(list).targets"))
      }

      /// Notes a target under every type that it is called as.
      \(access)nonisolated static func _addFaces(
      of target: \(reader.target), to faces: JunctorDelegates.MulticastFaces
      ) {
      \(written("faces.append(target, as: (\(reader.target)).self)\(faces)"))
      }

      \(statesConformance || isRefused ? "" : conformanceCheck)
      \(isNested ? forwards + unforwarded : "")
      /// The protocol's methods, properties and subscripts, by name.
      \(access)nonisolated struct DelegateMethod: JunctorDelegates.MulticastMethod {
      /// What the optional ones are known by.
      \(access)let optional: JunctorDelegates.OptionalMethod?
      \(methodNames)}
      }
      """
  }

  private func addition(
    _ place: String, _ parameter: String, _ argument: String, _ parameterDoc: String,
    _ access: String
  ) -> String {
    let list = "JunctorDelegates.MulticastList<\(reader.target)>(_of: self.multicastRegistry)"
    let body = """
      \(list)._add(
      target, \(argument), retaining: retaining,
      site: JunctorDelegates.SourceSite(fileID: fileID, line: line)
      ) { Self._addFaces(of: target, to: $0) }
      """
    return """
      /// Adds a target \(place).
      ///
      /// - Parameters:
      ///   - target: the target, held weakly; one that is on the list keeps its place.
      ///   - \(parameterDoc)
      ///   - retaining: whether the target is kept alive.
      ///   - fileID: the file that adds it.
      ///   - line: the line that adds it.
      /// - Returns: what came of it, and the token that takes the target out.
      @discardableResult
      \(access)func add(
      _ target: \(reader.target), \(parameter)retaining: JunctorDelegates.MulticastCode.Flag = false,
      fileID: JunctorDelegates.MulticastCode.File = #fileID,
      line: JunctorDelegates.MulticastCode.Line = #line
      ) -> JunctorDelegates.MulticastAddition {
      \(written(body))
      }
      """
  }

  /// A name for each requirement: the short one where it is the only one, else one with the labels, else a number too.
  private var methodNames: String {
    let everything = all(members)
    let short = Dictionary(grouping: everything, by: \.name).mapValues(\.count)
    let long = Dictionary(grouping: everything, by: \.longName).mapValues(\.count)
    var used: [String: Int] = [:]
    return render(members) { requirement, optional in
      var name = requirement.name
      if short[name, default: 0] > 1 {
        name = requirement.longName
        if long[name, default: 0] > 1 {
          used[name, default: 0] += 1
          name += "_\(used[name, default: 0])"
        }
      }
      let lines = requirement.preamble.split(separator: "\n").filter {
        $0.hasPrefix("@available")
      }
      let available = lines.map { $0 + "\n" }.joined()
      return """
        /// `\(requirement.longName)`.
        \(available)\(reader.memberAccess)static var \(name.asIdentifier): DelegateMethod {
        DelegateMethod(optional: \(optional ?? "nil"))
        }
        """
    }
  }
}

/// Collects the requirements of a protocol and numbers the optional ones.
struct MemberCollector {
  /// Reads one requirement.
  let reader: RequirementReader
  /// What the keys of optional methods begin with.
  let scope: String
  private var optionalCount = 0

  /// Begins to number from zero.
  init(reader: RequirementReader, scope: String) {
    self.reader = reader
    self.scope = scope
  }

  /// Reads members and the `#if`s around them.
  mutating func collect(_ items: MemberBlockItemListSyntax) -> [Member] {
    var members: [Member] = []
    for item in items {
      if let condition = item.decl.as(IfConfigDeclSyntax.self) {
        members.append(
          .condition(
            condition.clauses.map { clause in
              let head =
                clause.poundKeyword.text + (clause.condition.map { " \($0.trimmed)" } ?? "")
              guard case .decls(let inner)? = clause.elements else { return (head, []) }
              return (head, collect(inner))
            }))
        continue
      }
      for requirement in reader.read(item.decl) {
        members.append(.requirement(requirement, optional: name(requirement)))
      }
    }
    return members
  }

  private mutating func name(_ requirement: Requirement) -> String? {
    guard requirement.rule.isOptional else { return nil }
    defer { optionalCount += 1 }
    let key = Self.hash("\(scope) \(requirement.signature)")
    return "JunctorDelegates.OptionalMethod(_key: \(key), index: \(min(optionalCount, 255)))"
  }

  /// FNV-1a: the same on every machine and in every run.
  static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
