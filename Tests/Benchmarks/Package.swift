// swift-tools-version: 6.2
import PackageDescription

/// The packages that the library is compared with; without the trait, none of them is fetched or
/// built.
let peers: [(package: String, products: [String])] = [
  ("swift-async-algorithms", ["AsyncAlgorithms"]),
  ("swift-nio", ["NIOCore", "NIOPosix"]),
  ("OpenCombine", ["OpenCombine", "OpenCombineDispatch"]),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  traits: [
    .default(enabledTraits: ["Peers"]),
    .trait(name: "Peers", description: "Measures other packages as well."),
  ],
  dependencies: [
    .package(name: "swift-pacing", path: "../.."),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .target(name: "CAllocations"),
    .executableTarget(
      name: "bench",
      dependencies: ["CAllocations", .product(name: "Pacing", package: "swift-pacing")]
        + peers.flatMap { peer in
          peer.products.map {
            .product(name: $0, package: peer.package, condition: .when(traits: ["Peers"]))
          }
        }),
    .executableTarget(
      name: "hotpath", dependencies: [.product(name: "Pacing", package: "swift-pacing")]),
    .executableTarget(
      name: "shares", dependencies: [.product(name: "Pacing", package: "swift-pacing")]),
  ],
  swiftLanguageModes: [.v6]
)
