// JunctorMacrosPlugin: the compiler plug-in behind JunctorMacros.

internal import SwiftSyntaxMacros

#if canImport(SwiftCompilerPlugin)
  internal import SwiftCompilerPlugin
#else
  @_spi(PluginMessage) internal import SwiftCompilerPluginMessageHandling
  internal import SwiftSyntaxMacroExpansion
#endif

/// Everything that the plug-in can expand.
enum ProvidedMacros {
  /// The macros' types.
  static var all: [any Macro.Type] {
    [
      MulticastMacro.self, ReturnsMacro.self, OptionalMacro.self, ForwardedMacro.self,
      DataReceiverMacro.self,
    ]
  }
}

#if canImport(SwiftCompilerPlugin)
  /// The program that the compiler runs.
  @main
  struct JunctorMacrosPlugin: CompilerPlugin {
    /// Everything that can be expanded.
    var providingMacros: [any Macro.Type] { ProvidedMacros.all }
  }
#else
  /// The toolchain's own SwiftSyntax comes without `CompilerPlugin`; this is the part of it that is needed.
  struct MacroProvider: PluginProvider {
    /// The compiler asks for a macro that is not there.
    struct UnknownMacro: Error, CustomStringConvertible {
      /// The macro's full name.
      let name: String
      /// The sentence.
      var description: String { "Can't expand '\(name)': the plug-in has no macro of that name." }
    }

    /// Finds a macro by its type's name.
    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
      let found = ProvidedMacros.all.first { String(describing: $0) == typeName }
      guard let found else { throw UnknownMacro(name: "\(moduleName).\(typeName)") }
      return found
    }
  }

  /// The program that the compiler runs.
  @main
  struct JunctorMacrosPlugin {
    /// Answers the compiler until it closes the connection.
    static func main() throws {
      let connection = try StandardIOMessageConnection()
      let listener = CompilerPluginMessageListener(
        connection: connection, provider: MacroProvider())
      try listener.main()
    }
  }
#endif
