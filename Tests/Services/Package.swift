// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Services",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-pacing", path: "../.."),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.0.0"),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.21.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
  ],
  targets: [
    // The recipes, and the same under load over loopback, with its numbers checked.
    .executableTarget(
      name: "services",
      dependencies: [
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Pacing", package: "swift-pacing"),
        .product(name: "PacingHTTP", package: "swift-pacing"),
        .product(name: "PacingRedis", package: "swift-pacing"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
    // The recipes on virtual time.
    .testTarget(
      name: "RecipeTests",
      dependencies: [
        "services",
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "PacingTesting", package: "swift-pacing"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
