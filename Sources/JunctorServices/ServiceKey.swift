internal import CJunctorServices

/// What a service is found under: a type, usually `(any SomeProtocol).self`, and perhaps a name.
///
/// Two protocols of the same name from two modules are two keys: what counts is the type, not its spelling.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct ServiceKey: Sendable {
  /// The name, where there is one.
  public let name: ServiceName?

  /// What the engine has done with the type.
  let witness: any ServiceWitness.Type
  /// The argument's type, where one is asked with.
  let argument: ObjectIdentifier?

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - type: the type, usually `(any SomeProtocol).self`.
  ///   - name: the name, where several services of that type are told apart by one.
  /// - Complexity: O(1).
  public init<P: Sendable>(_ type: P.Type, name: ServiceName? = nil) {
    self.init(type, name: name, argument: nil)
  }

  /// Makes a key that is asked with an argument.
  init<P: Sendable>(_ type: P.Type, name: ServiceName?, argument: ObjectIdentifier?) {
    self.name = name
    self.argument = argument
    witness = Witness<P>.self
  }

  /// Makes the key of the same type and name that is asked without an argument.
  init(withoutArgument key: ServiceKey) {
    name = key.name
    witness = key.witness
    argument = nil
  }

  /// The type's identity, as the look-up table knows it.
  var type: ObjectIdentifier { witness.type }

  /// The two numbers that the look-up table knows a key by; different names may share one.
  var numbers: (type: UInt, name: UInt) {
    let type = UInt(bitPattern: type)
    let name = name.map(ServiceKey.number) ?? 0
    guard let argument else { return (type, name) }
    return (type, (name ^ UInt(bitPattern: argument)) | 1)
  }

  /// The number that the look-up table knows a name by; never that of no name. Only once there is a set.
  static func number(of name: ServiceName) -> UInt {
    // SAFETY: reads within the buffer, which is valid for the length of the call.
    let number = unsafe name.rawValue.utf8.withContiguousStorageIfAvailable {
      unsafe junctor_name_number($0.baseAddress, $0.count)
    }
    if let number, number != 0 { return number }
    return numberSlowly(of: name)
  }

  private static let twins: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{212A}": "K", "\u{37E}": ";", "\u{1FEF}": "`",
  ]

  @inline(never)
  private static func numberSlowly(of name: ServiceName) -> UInt {
    // Three characters beyond ASCII are equal to one of it: the signs of the kelvin, of the Greek question and grave.
    var text = String(
      String.UnicodeScalarView(name.rawValue.unicodeScalars.map { twins[$0] ?? $0 }))
    let number = text.withUTF8 { unsafe junctor_name_number($0.baseAddress, $0.count) }
    // Strings that are equal have one hash, whatever their bytes; it is seeded as well.
    return number != 0 ? number : UInt(bitPattern: name.rawValue.hashValue) | 1
  }

  /// The type's name with its module, without `any`.
  public var typeName: String {
    let name = witness.typeName
    return name.hasPrefix("any ") ? String(name.dropFirst(4)) : name
  }

  /// The type as it is written in a registration.
  var spelling: String {
    witness.isExistential ? "(any \(shortTypeName)).self" : "\(shortTypeName).self"
  }

  /// The type's name without its module; generic arguments stay as they are.
  var shortTypeName: String {
    ServiceKey.replacingPaths(in: typeName) { path in
      // Where a type lies that is not seen from outside has no name.
      path.dropFirst(path.count > 1 ? 1 : 0).filter { !$0.hasPrefix("(") }
    }
  }

  /// The type's name without its module and the types that it lies in: the same for those that are mixed up easily.
  var innermostTypeName: String { ServiceKey.replacingPaths(in: typeName) { $0.suffix(1) } }

  /// A type's name in which something is left of every path, such as `Module.Outer.Inner<Module.Element>`.
  private static func replacingPaths(
    in name: String, by left: ([Substring]) -> some Sequence<Substring>
  ) -> String {
    var result = ""
    var path: [Substring] = []
    var rest = name[...]
    while let first = rest.first {
      let part = component(of: rest)
      rest = rest[part.endIndex...]
      if part.isEmpty {
        result.append(first)
        rest.removeFirst()
        continue
      }
      path.append(part)
      if rest.first == "." {
        rest.removeFirst()
      } else {
        result += left(path).joined(separator: ".")
        path = []
      }
    }
    return result
  }

  /// The component of a path that a text begins with, its generic arguments included; empty if there is none.
  private static func component(of text: Substring) -> Substring {
    if text.hasPrefix("(unknown context"), let end = text.firstIndex(of: ")") {
      return text[...end]
    }
    var end = text.firstIndex { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? text.endIndex
    guard end > text.startIndex, end < text.endIndex, text[end] == "<" else { return text[..<end] }
    var depth = 0
    var last: Character = " "
    while end < text.endIndex {
      let character = text[end]
      if character == "<" { depth += 1 }
      // In an arrow it closes nothing.
      if character == ">", last != "-" { depth -= 1 }
      last = character
      end = text.index(after: end)
      if depth == 0 { break }
    }
    return text[..<end]
  }
}

extension ServiceKey: Hashable {
  /// Whether two keys have the same type, name and kind of argument.
  public static func == (left: ServiceKey, right: ServiceKey) -> Bool {
    left.type == right.type && left.name == right.name && left.argument == right.argument
  }

  /// Feeds type, name and kind of argument into the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(name)
    hasher.combine(argument)
  }
}

extension ServiceKey: CustomStringConvertible {
  /// The type's name, and the name in brackets where there is one.
  public var description: String {
    guard let name else { return typeName }
    return "\(typeName) (\(name))"
  }
}

/// What the engine, which knows no types, needs done with a type.
protocol ServiceWitness: Sendable {
  /// The type's identity.
  static var type: ObjectIdentifier { get }
  /// The type's full name.
  static var typeName: String { get }

  /// Whether the type is `any` of some protocol.
  static var isExistential: Bool { get }

  /// Asks a container of another make.
  static func ask(_ provider: any ServicesProvider, name: ServiceName?) throws -> ServiceBox?

  /// Boxes an instance that was held weakly.
  static func box(_ object: AnyObject) -> ServiceBox?
}

private enum Witness<P: Sendable>: ServiceWitness {
  static var type: ObjectIdentifier { ObjectIdentifier(P.self) }
  static var typeName: String { String(reflecting: P.self) }

  static var isExistential: Bool {
    let kind = String(describing: Swift.type(of: P.self as Any))
    return kind.hasSuffix(".Protocol") || kind.hasPrefix("(any ")
  }

  static func ask(_ provider: any ServicesProvider, name: ServiceName?) throws -> ServiceBox? {
    try provider.service(P.self, name: name).map { TypedBox($0) }
  }

  static func box(_ object: AnyObject) -> ServiceBox? {
    (object as? P).map { TypedBox($0) }
  }
}
