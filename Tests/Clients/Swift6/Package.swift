// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Swift6",
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
        .treatAllWarnings(as: .error)
      ])
  ],
  swiftLanguageModes: [.v6]
)
