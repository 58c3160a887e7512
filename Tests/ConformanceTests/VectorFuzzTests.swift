import Foundation
import Testing

/// A vector that is torn or altered is reported; it neither stops the run nor hangs it.
@Suite("Conformance reader: hostile input")
struct VectorFuzzTests {
  private let conformance = Conformance(drivers: .all)

  /// Small and seeded, so that a failure can be seen again.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) | (state << 31)
    }
  }

  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "null", "true", "-1", "0", "1e999", "-9223372036854775808",
    "9223372036854775807", "1e-9", "\"a\"", "[]", "{}", "\\u0000",
  ]

  @Test(
    "a torn text is one failure for each case, and no more",
    arguments: 1...100 as ClosedRange<UInt64>)
  func torn(seed: UInt64) {
    var dice = Dice(state: seed)
    for sample in Sample.all {
      var characters = Array("[\(sample.json)]")
      for _ in 0..<Int.random(in: 1...3, using: &dice) {
        let place = Int.random(in: 0..<characters.count, using: &dice)
        if Bool.random(using: &dice) {
          characters.remove(at: place)
        } else {
          characters.insert(contentsOf: Self.pieces.randomElement(using: &dice)!, at: place)
        }
      }
      let text = String(characters)
      let report = conformance.report(
        on: [VectorFile(name: "torn.json") { Data(text.utf8) }])
      let count =
        report.passed + report.failures.count + report.unsupported.values.reduce(0, +)
      #expect(count <= 3, "seed \(seed): \(text)")
    }
  }
}
