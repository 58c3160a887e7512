// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "MainActorDefault",
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
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
      ])
  ],
  swiftLanguageModes: [.v6]
)
