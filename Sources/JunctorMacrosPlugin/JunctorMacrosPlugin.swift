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
  static var all: [any Macro.Type] {
    [
      MulticastMacro.self, ReturnsMacro.self, OptionalMacro.self, ForwardedMacro.self,
      DataReceiverMacro.self,
    ]
  }
}

#if canImport(SwiftCompilerPlugin)
  @main
  struct JunctorMacrosPlugin: CompilerPlugin {
    var providingMacros: [any Macro.Type] { ProvidedMacros.all }
  }
#else
  /// The toolchain's own SwiftSyntax comes without `CompilerPlugin`; this is the part of it that is needed.
  struct MacroProvider: PluginProvider {
    struct UnknownMacro: Error, CustomStringConvertible {
      let name: String
      var description: String { "Can't expand '\(name)': the plug-in has no macro of that name." }
    }

    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
      let found = ProvidedMacros.all.first { String(describing: $0) == typeName }
      guard let found else { throw UnknownMacro(name: "\(moduleName).\(typeName)") }
      return found
    }
  }

  @main
  struct JunctorMacrosPlugin {
    static func main() throws {
      let connection = try StandardIOMessageConnection()
      let listener = CompilerPluginMessageListener(
        connection: connection, provider: MacroProvider())
      try listener.main()
    }
  }
#endif
