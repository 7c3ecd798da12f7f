// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// MARK: - Where SwiftSyntax comes from

/// The folder of SwiftSyntax modules inside the running toolchain, or `nil` where there is none.
///
/// The manifest is a program that has loaded `libPackageDescription.so`; the kernel's list of mapped files tells
/// where that lies, and `host` is found from there. Nothing depends on a fixed path.
func toolchainSyntax() -> String? {
  #if os(Linux)
    guard let maps = fopen("/proc/self/maps", "r") else { return nil }
    defer { fclose(maps) }
    let suffix = "/pm/ManifestAPI/libPackageDescription.so"
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, maps) > 0, let text = line {
      let mapped = String(cString: text)
      guard let start = mapped.firstIndex(of: "/") else { continue }
      let path = String(mapped[start...].prefix { $0 != "\n" })
      guard path.hasSuffix(suffix) else { continue }
      let host = String(path.dropLast(suffix.count)) + "/host"
      return access(host + "/SwiftSyntaxMacros.swiftmodule", R_OK) == 0 ? host : nil
    }
  #endif
  return nil
}

/// Unsafe flags make a package unusable as a versioned dependency; a checkout of SwiftPM's takes the public
/// package instead, and only when the trait `Macros` asks for it. While versions are still being looked at, SwiftPM reads
/// the manifest out of the repository, where there is no folder at all; it has to say the same then.
let isDependency =
  Context.packageDirectory.contains("/checkouts/")
  || access(Context.packageDirectory + "/Package.swift", R_OK) != 0
let syntaxFolder = isDependency ? nil : toolchainSyntax()

var dependencies: [Package.Dependency] = []
var pluginDependencies: [Target.Dependency] = []
var pluginSwiftSettings: [SwiftSetting] = []
var pluginLinkerSettings: [LinkerSetting] = []

if let folder = syntaxFolder {
  let modules = [
    "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftSyntaxMacroExpansion",
    "SwiftDiagnostics", "SwiftParser", "SwiftOperators", "SwiftBasicFormat",
    "SwiftCompilerPluginMessageHandling", "SwiftIfConfig",
  ]
  pluginSwiftSettings = [.unsafeFlags(["-I", folder])]
  pluginLinkerSettings = [
    .unsafeFlags(
      ["-L", folder, "-Xlinker", "-rpath", "-Xlinker", folder] + modules.map { "-l\($0)" })
  ]
} else {
  dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-syntax.git", "602.0.0"..<"604.0.0"))
  pluginDependencies = [
    "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftDiagnostics", "SwiftParser",
    "SwiftOperators", "SwiftCompilerPlugin", "SwiftIfConfig",
  ].map {
    .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"]))
  }
}

// MARK: - How every target is compiled

/// Whether the project's own checks build it.
let isStrict = Context.environment["JUNCTOR_STRICT"] != nil

let settings: [SwiftSetting] =
  [.strictMemorySafety()]
  + [
    "ExistentialAny", "ImmutableWeakCaptures", "InferIsolatedConformances",
    "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
  ].map { .enableUpcomingFeature($0) }
  + (isStrict ? [.treatAllWarnings(as: .error)] : [])

// MARK: - Targets

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let mechanisms: [Target.Dependency] = [
  "JunctorChannels", "JunctorDelegates", "JunctorHandover", "JunctorServices",
]

/// On Linux `JunctorUIKit` is compiled and tested against a module of UIKit's name that is kept with the tests. Elsewhere,
/// and for users of this package, there is no such module, and without any UIKit `JunctorUIKit` is empty.
var standIn: [Target.Dependency] = []
#if os(Linux)
  if !isDependency { standIn = ["UIKit"] }
#endif

/// The programs that tests start run under the thread sanitizer as the tests do. Users' builds have nothing of it.
let sanitizing: [Target.Dependency] = isStrict && !isDependency ? ["CThreadSanitizer"] : []

let package = Package(
  name: "Junctor",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Junctor", targets: ["Junctor"]),
    .library(name: "JunctorChannels", targets: ["JunctorChannels"]),
    .library(name: "JunctorDelegates", targets: ["JunctorDelegates"]),
    .library(name: "JunctorHandover", targets: ["JunctorHandover"]),
    .library(name: "JunctorServices", targets: ["JunctorServices"]),
    .library(name: "JunctorMacros", targets: ["JunctorMacros"]),
    .library(name: "JunctorWiring", targets: ["JunctorWiring"]),
    .library(name: "JunctorInspector", targets: ["JunctorInspector"]),
    .library(name: "JunctorBridge", targets: ["JunctorBridge"]),
    .library(name: "JunctorNATS", targets: ["JunctorNATS"]),
    .executable(name: "junctor", targets: ["JunctorCommand"]),
    .library(name: "JunctorTesting", targets: ["JunctorTesting"]),
    .library(name: "JunctorRestoration", targets: ["JunctorRestoration"]),
    .library(name: "JunctorUIKit", targets: ["JunctorUIKit"]),
  ],
  traits: [
    .trait(
      name: "Macros",
      description: "Takes swift-syntax, so that the product JunctorMacros can be used."),
    .trait(
      name: "Inspector",
      description: "Builds JunctorInspector, which needs the system library libmicrohttpd."),
    .trait(
      name: "NATS",
      description: "Builds JunctorNATS, which needs the system library libnats."),
  ],
  dependencies: dependencies,
  targets: [
    .target(name: "CJunctorCore"),
    module("JunctorCore", ["CJunctorCore"]),
    module("JunctorChannels", ["JunctorCore"]),
    .target(name: "CJunctorDelegates"),
    module("JunctorDelegates", ["JunctorCore", "CJunctorDelegates"]),
    module("JunctorHandover", ["JunctorCore"]),
    .target(name: "CJunctorServices", dependencies: ["CJunctorCore"]),
    module("JunctorServices", ["JunctorCore", "CJunctorServices"]),
    module("Junctor", ["JunctorCore"] + mechanisms),
    .macro(
      name: "JunctorMacrosPlugin", dependencies: pluginDependencies,
      swiftSettings: settings + pluginSwiftSettings, linkerSettings: pluginLinkerSettings),
    module(
      "JunctorMacros",
      ["JunctorMacrosPlugin", "JunctorCore", "JunctorDelegates", "JunctorHandover"]),
    module("JunctorWiring", ["JunctorCore"]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .target(
      name: "CJunctorInspector",
      dependencies: [.target(name: "CMicroHTTPD", condition: .when(traits: ["Inspector"]))],
      cSettings: [.define("JUNCTOR_INSPECTOR", .when(traits: ["Inspector"]))]),
    module("JunctorInspector", ["JunctorCore", "JunctorWiring", "CJunctorInspector"]),
    module("JunctorBridge", ["JunctorCore", "JunctorChannels"]),
    .systemLibrary(
      name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
    .target(
      name: "CJunctorNATS",
      dependencies: [.target(name: "CNATS", condition: .when(traits: ["NATS"]))],
      cSettings: [.define("JUNCTOR_NATS", .when(traits: ["NATS"]))]),
    module(
      "JunctorNATS", ["JunctorCore", "JunctorBridge", "CJunctorNATS"]),
    module(
      "JunctorTool",
      ["JunctorCore", "JunctorWiring", "JunctorChannels", "JunctorBridge", "JunctorNATS"]),
    .executableTarget(
      name: "JunctorCommand", dependencies: ["JunctorTool"] + sanitizing, swiftSettings: settings),
    module("JunctorTesting", ["Junctor", "JunctorBridge"]),

    module("JunctorRestoration", ["JunctorCore", "JunctorHandover"]),
    module("JunctorUIKit", ["JunctorCore", "JunctorHandover"] + standIn),

    .target(name: "CThreadSanitizer", path: "Tests/StandIns/CThreadSanitizer"),
    tests(
      "JunctorCoreTests", ["JunctorCore", "CJunctorCore", "JunctorTesting", "CThreadSanitizer"]),
    tests("JunctorChannelsTests", ["JunctorChannels", "JunctorTesting"]),
    tests("JunctorTestingTests", ["JunctorTesting", "JunctorChannels"]),
    tests("JunctorDelegatesTests", ["JunctorDelegates", "JunctorTesting"]),
    tests("JunctorHandoverTests", ["JunctorHandover", "JunctorTesting"]),
    tests("JunctorRestorationTests", ["JunctorRestoration", "JunctorHandover", "JunctorTesting"]),
    .testTarget(
      name: "JunctorUIKitTests",
      dependencies: ["JunctorUIKit", "JunctorHandover", "JunctorChannels", "JunctorTesting"]
        + standIn,
      // Testing has an overlay for Apple's UIKit, which is not there.
      swiftSettings: settings
        + (standIn.isEmpty
          ? [] : [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])])),
    tests("JunctorServicesTests", ["JunctorServices", "JunctorTesting", "CThreadSanitizer"]),
    .testTarget(
      name: "JunctorMacrosTests",
      dependencies: ["JunctorMacros", "JunctorMacrosPlugin"] + pluginDependencies,
      swiftSettings: settings + pluginSwiftSettings, linkerSettings: pluginLinkerSettings),
    tests("JunctorWiringTests", ["JunctorWiring", "Junctor", "JunctorCore"]),
    tests(
      "JunctorInspectorTests",
      ["JunctorInspector", "JunctorWiring", "JunctorTool", "JunctorChannels"]),
    tests("JunctorBridgeTests", ["JunctorBridge", "JunctorTesting", "JunctorChannels"]),
    .executableTarget(
      name: "NATSPeer", dependencies: ["JunctorNATS", "JunctorChannels"] + sanitizing,
      path: "Tests/StandIns/NATSPeer", swiftSettings: settings),
    tests(
      "JunctorNATSTests",
      [
        "JunctorNATS", "JunctorBridge", "JunctorTesting", "JunctorChannels", "JunctorCore",
        "NATSPeer", "Newsreader", "JunctorCommand",
      ]),
    tests(
      "JunctorToolTests", ["JunctorTool", "JunctorCore", "JunctorWiring", "JunctorBridge"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)

if !standIn.isEmpty {
  package.targets.append(
    .target(name: "UIKit", path: "Tests/StandIns/UIKit", swiftSettings: settings))
}

// MARK: - The documentation

/// What the articles and the doc comments show and no snippet does.
package.targets.append(
  .testTarget(
    name: "DocumentationTests",
    dependencies: [
      "Junctor", "JunctorMacros", "JunctorRestoration", "JunctorTesting", "JunctorUIKit",
      "JunctorWiring",
    ] + standIn,
    swiftSettings: settings
      + (standIn.isEmpty
        ? [] : [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])])))

// MARK: - The example

package.targets += [
  .target(
    name: "NewsreaderKit",
    dependencies: ["Junctor", "JunctorMacros", "JunctorWiring", "JunctorNATS"],
    path: "Examples/Newsreader/Sources/NewsreaderKit", swiftSettings: settings),
  .executableTarget(
    name: "Newsreader", dependencies: ["NewsreaderKit"] + sanitizing,
    path: "Examples/Newsreader/Sources/Newsreader", swiftSettings: settings),
  .testTarget(
    name: "NewsreaderTests", dependencies: ["NewsreaderKit", "Newsreader"],
    path: "Examples/Newsreader/Tests/NewsreaderTests", swiftSettings: settings),
]
