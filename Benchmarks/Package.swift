// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that it sees Junctor as a user's code does, and so that Junctor needs nothing of it.
let package = Package(
  name: "JunctorBenchmarks",
  // Where Foundation has typed notifications, which are a baseline.
  platforms: [.macOS("26.0")],
  dependencies: [.package(name: "Junctor", path: "..")],
  targets: [
    .target(name: "CAllocations"),
    .executableTarget(
      name: "JunctorBenchmarks",
      dependencies: [
        "CAllocations",
        .product(name: "Junctor", package: "Junctor"),
        .product(name: "JunctorMacros", package: "Junctor"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)
