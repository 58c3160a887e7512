import Pacing
import TestSupport
import Testing

/// Draws with fixed seeds, so that the results are the same in every run.
@Suite("Jitter: distributions")
struct JitterDistributionTests {
  private static let count = 25_000
  private static let delay: Nanoseconds = 1_000_000

  /// The expected draws of one jitter for a constant delay of 1 ms.
  struct Shape: CustomTestStringConvertible {
    let name: String
    let jitter: Jitter
    let range: ClosedRange<Nanoseconds>
    var testDescription: String { name }
  }

  static let shapes = [
    Shape(name: "full", jitter: .full, range: 0...1_000_000),
    Shape(name: "equal", jitter: .equal, range: 500_000...1_000_000),
    Shape(name: "proportional", jitter: .proportional(0.25), range: 750_000...1_250_000),
  ]

  /// The chi-squared statistic of the draws against a uniform distribution over `cells` equal
  /// cells.
  static func chiSquared(
    _ draws: [Nanoseconds], in range: ClosedRange<Nanoseconds>, cells: Int
  ) -> Double {
    var counts = [Int](repeating: 0, count: cells)
    let width = Double(range.upperBound - range.lowerBound)
    for draw in draws {
      let place = Double(draw - range.lowerBound) / width * Double(cells)
      counts[min(cells - 1, Int(place))] += 1
    }
    let expected = Double(draws.count) / Double(cells)
    return counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
  }

  @Test("is uniform over its whole range", arguments: shapes, [1, 7, 1234] as [UInt64])
  func uniform(shape: Shape, seed: UInt64) {
    var delays = BackoffDelays(
      .constant(.nanoseconds(Self.delay)).jittered(shape.jitter, seed: seed))
    let draws = (0..<Self.count).map { _ in delays.nextDelay()! }
    #expect(draws.allSatisfy(shape.range.contains))
    // 49 degrees of freedom: one distribution in a thousand exceeds 85.4.
    #expect(Self.chiSquared(draws, in: shape.range, cells: 50) < 85.4)
  }

  @Test("successive draws are independent", arguments: shapes)
  func independent(shape: Shape) {
    var delays = BackoffDelays(.constant(.nanoseconds(Self.delay)).jittered(shape.jitter, seed: 5))
    let middle = Double(shape.range.lowerBound + shape.range.upperBound) / 2
    let draws = (0..<Self.count).map { _ in Double(delays.nextDelay()!) - middle }
    let variance = draws.reduce(0) { $0 + $1 * $1 }
    let products = zip(draws, draws.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    #expect(abs(products / variance) < 4 / Double(Self.count).squareRoot())
  }

  @Test("decorrelated draws are uniform between the base and three times the one before")
  func decorrelated() {
    var delays = BackoffDelays(
      .constant(.nanoseconds(1000)).capped(at: .seconds(3600)).jittered(.decorrelated, seed: 11))
    var previous: Nanoseconds = 1000
    var places = [Nanoseconds]()
    for index in 0..<Self.count {
      let delay = delays.nextDelay()!
      #expect((1000...max(1000, 3 * previous)).contains(delay))
      let width = Double(3 * previous - 1000)
      // Short ranges have too few integers for a fine division, and long ones meet the cap.
      if previous > 100_000, previous < 1_000_000_000 {
        places.append(Nanoseconds(Double(delay - 1000) / width * 1_000_000))
      }
      previous = delay
      if index % 20 == 19 {
        delays.reset()
        previous = 1000
      }
    }
    #expect(places.count > Self.count / 10)
    #expect(Self.chiSquared(places, in: 0...1_000_000, cells: 50) < 85.4)
  }
}
