// swift-tools-version: 6.2
import PackageDescription

// Set by .ci/run. Nobody who uses the package is stopped by a warning of a newer compiler.
let isStrict = Context.environment["PACING_STRICT"] != nil

/// Those of a package that uses this one, with nothing enabled.
let plain: [SwiftSetting] = isStrict ? [.treatAllWarnings(as: .error)] : []

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + plain

/// Those of the libraries: what is unsafe is marked in the source.
let library = settings + [.strictMemorySafety()]

let package = Package(
  name: "swift-pacing",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Pacing", targets: ["Pacing"]),
    .library(name: "PacingTesting", targets: ["PacingTesting"]),
    .library(name: "PacingHTTP", targets: ["PacingHTTP"]),
    .library(name: "PacingRedis", targets: ["PacingRedis"]),
    .executable(name: "pace", targets: ["pace"]),
  ],
  targets: [
    .target(name: "Pacing", swiftSettings: library),
    .target(name: "PacingTesting", dependencies: ["Pacing"], swiftSettings: library),
    .target(name: "PacingHTTP", dependencies: ["Pacing"], swiftSettings: library),
    .target(name: "PacingRedis", dependencies: ["Pacing"], swiftSettings: library),
    .target(name: "Diagrams", swiftSettings: settings),
    .executableTarget(
      name: "pace", dependencies: ["Pacing", "PacingRedis", "Diagrams"], swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["Pacing", "PacingTesting"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "PacingTests", dependencies: ["Pacing", "PacingTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PacingLimitTests", dependencies: ["Pacing", "PacingTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PacingModelTests", dependencies: ["Pacing", "PacingTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PacingTestingTests", dependencies: ["Pacing", "PacingTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PacingHTTPTests",
      dependencies: ["Pacing", "PacingHTTP", "PacingTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PacingRedisTests",
      dependencies: ["Pacing", "PacingRedis", "PacingTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ConformanceTests", dependencies: ["Pacing", "PacingTesting", "TestSupport"],
      exclude: ["Vectors"],
      swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["Pacing", "PacingRedis", "PacingTesting", "Diagrams"],
      exclude: ["Snippets"], swiftSettings: settings),
    // What the guides show sees no more than a user does.
    .testTarget(
      name: "SnippetTests",
      dependencies: ["Pacing", "PacingHTTP", "PacingRedis", "PacingTesting", "TestSupport"],
      path: "Tests/DocumentationTests/Snippets", packageAccess: false, swiftSettings: plain),
    .testTarget(
      name: "StressTests",
      dependencies: ["Pacing", "PacingHTTP", "PacingTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PaceTests",
      dependencies: ["pace", "Pacing", "PacingTesting", "Diagrams", "TestSupport"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// Set where other tests are not to be built.
if let names = Context.environment["PACING_TESTS"]?.split(separator: " ") {
  package.targets.removeAll { target in
    target.type == .test && !names.contains { $0 == target.name }
  }
}
