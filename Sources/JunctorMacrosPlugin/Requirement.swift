internal import SwiftSyntax

/// One requirement of a protocol, read from syntax: how it is declared, how it is called, what it returns.
struct Requirement {
  /// What a call is made of.
  enum Kind {
    /// A function.
    case method
    /// A variable.
    case property
    /// A subscript.
    case `subscript`
  }

  /// An effect of a function or an accessor.
  struct Effects {
    /// Whether it suspends.
    var isAsync = false
    /// `nil` for none, empty for an untyped error.
    var thrown: String?
    /// Whether it throws only what a closure of its caller's throws.
    var isRethrowing = false
    /// As it is written in a declaration.
    var text = ""

    /// What stands before a call.
    var marks: String { (thrown != nil || isRethrowing ? "try " : "") + (isAsync ? "await " : "") }
  }

  /// An accessor beside `get`.
  struct Setter {
    /// What stands before it.
    var attributes = ""
  }

  /// What it is.
  var kind: Kind
  /// Doc comment and attributes that are carried over, each on a line of its own.
  var preamble: String
  /// Access aside, what stands before the keyword.
  var modifiers: String
  /// From the keyword to before the body, without the effects of accessors.
  var head: String
  /// Stands for the target in `call`.
  static let target = "‹target›"

  /// How it is called on a target.
  var call: String
  /// The type of the result; `nil` for none.
  var result: String?
  /// Whether the result is spelt as an optional.
  var resultIsOptional = false
  /// Effects of the function or the getter.
  var effects = Effects()
  /// The setter, where there is one.
  var setter: Setter?
  /// How many answers become one.
  var rule: AnswerRule
  /// The name by which a multicast is asked whether anyone responds.
  var name: String
  /// A longer name where several share the short one.
  var longName: String
  /// Tells it apart from all others of its protocol.
  var signature: String
  /// Makes local names that it does not use itself.
  var makeName: LocalNames

  /// What a setter calls the new value: a subscript's parameter may have the usual name.
  var newValue: String { makeName("newValue") }
}
