// The other files of this module do not find SwiftSyntax either, and say only that.
#if !canImport(SwiftSyntax)
  #error(
    "Can't build the macros: the trait 'Macros' is off, so there is no SwiftSyntax. Enable it where the package is named: .package(url: …, from: …, traits: [\"Macros\"])."
  )
#endif
