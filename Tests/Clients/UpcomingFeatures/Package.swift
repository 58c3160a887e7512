// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "UpcomingFeatures",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-pacing", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Client",
      dependencies: [
        .product(name: "Pacing", package: "swift-pacing"),
        .product(name: "PacingHTTP", package: "swift-pacing"),
        .product(name: "PacingRedis", package: "swift-pacing"),
        .product(name: "PacingTesting", package: "swift-pacing"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ])
  ],
  swiftLanguageModes: [.v6]
)
