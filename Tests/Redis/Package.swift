// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Redis",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-pacing", path: "../..")],
  targets: [
    .executableTarget(
      name: "contend",
      dependencies: [
        .product(name: "Pacing", package: "swift-pacing"),
        .product(name: "PacingRedis", package: "swift-pacing"),
        .product(name: "PacingTesting", package: "swift-pacing"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
