// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SeededRace",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-pacing", path: "../..")],
  targets: [
    .executableTarget(
      name: "SeededRace", dependencies: [.product(name: "Pacing", package: "swift-pacing")])
  ],
  swiftLanguageModes: [.v6]
)
