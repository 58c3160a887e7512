import Foundation
import Pacing
import PacingTesting
import TestSupport
import Testing

/// What the rule of adaptive permits achieves, compared with fixed limits; a soak also runs those
/// that are refused most of their calls, and prints the guide's table.
@Suite("ConcurrencyLimit: adaptive permits before a busy server")
struct BusyServerTests {
  private static let fixed = Soak.scale > 1 ? [20, 40, 100, 300] : [20, 40]

  private let clock = ManualClock()

  private func adaptive() -> ConcurrencyLimit {
    ConcurrencyLimit(adaptive: 1...200, startingAt: 20, clock: clock)
  }

  private func server(_ limits: [ConcurrencyLimit]) -> BusyServer {
    BusyServer(workers: 40, limits, clock: clock, seed: 7)
  }

  /// What a client saw after five seconds, for a number of seconds with so many workers each.
  private func score(_ limit: ConcurrencyLimit, _ phases: [(Int, Int)]) -> BusyServer.Score {
    var server = server([limit])
    _ = server.run(milliseconds: 5000, workers: 40)
    var sum = BusyServer.Score()
    for (seconds, workers) in phases {
      let score = server.run(milliseconds: seconds * 1000, workers: workers)[0]
      sum.served += score.served
      sum.refused += score.refused
      sum.latencies += score.latencies
    }
    return sum
  }

  /// Compares the adaptive limit with fixed ones, and prints both.
  private func compare(_ name: String, _ phases: [(Int, Int)]) -> (BusyServer.Score, best: Int) {
    let seconds = phases.reduce(0) { $0 + $1.0 }
    func report(_ limit: String, _ score: BusyServer.Score) {
      let share = (score.refusedShare * 1000).rounded() / 10
      print(
        "\(name): \(limit): \(score.served / seconds) calls/s, p99 "
          + "\(score.percentile(99) / 1000) ms, \(share) % refused")
    }
    var best = 0
    for count in Self.fixed {
      let score = score(ConcurrencyLimit(count, clock: clock), phases)
      report("\(count)", score)
      best = max(best, score.served)
    }
    let own = score(adaptive(), phases)
    report("adaptive", own)
    return (own, best)
  }

  @Test("holds 97 % of what the best fixed limit achieves, and is refused 2 % of its calls at most")
  func steady() {
    let (own, best) = compare("40 workers", [(20, 40)])
    #expect(Double(own.served) >= 0.97 * Double(best))
    #expect(own.refusedShare <= 0.02)
  }

  @Test("follows a server that loses half of its workers, and has them back")
  func halved() {
    let (own, best) = compare("halved and restored", [(10, 40), (10, 20), (10, 40)])
    #expect(Double(own.served) >= 0.97 * Double(best))
    #expect(own.refusedShare <= 0.02)
  }

  @Test(
    "two clients converge to equal shares, from wherever they begin",
    arguments: 1...UInt64(Soak.scale))
  func shared(seed: UInt64) {
    let late = ConcurrencyLimit(adaptive: 1...200, startingAt: 1, clock: clock)
    let early = ConcurrencyLimit(adaptive: 1...200, startingAt: 45, clock: clock)
    var server = BusyServer(workers: 40, [early, late], clock: clock, seed: seed)
    _ = server.run(milliseconds: 30_000, workers: 40)
    let scores = server.run(milliseconds: 60_000, workers: 40)
    let sum = scores.reduce(0) { $0 + $1.served }
    print("two clients:", scores.map { "\($0.served / 60) calls/s" }.joined(separator: ", "))
    #expect(sum / 60 >= 388)
    for score in scores {
      #expect((0.4...0.6).contains(Double(score.served) / Double(sum)))
      #expect(score.refusedShare <= 0.02)
    }
  }

  // MARK: Pictures

  /// What clients and the server have, twice a second: the workers and the queue, and the counts.
  private func chart(
    _ title: String, _ limits: [(String, ConcurrencyLimit)], _ phases: [(Int, Int)]
  ) -> Chart {
    var server = server(limits.map(\.1))
    var points = [[(x: Double, y: Double)]](repeating: [], count: limits.count + 1)
    var time = 0.0
    for (seconds, workers) in phases {
      for _ in 0..<2 * seconds {
        points[0].append((time, Double(workers + workers / 2)))
        for (index, limit) in limits.enumerated() {
          points[index + 1].append((time, Double(limit.1.count)))
        }
        _ = server.run(milliseconds: 500, workers: workers)
        time += 0.5
      }
    }
    let marks = stride(from: 0, through: time, by: time / 4).map { ($0, "\(Int($0)) s") }
    let names = ["what the server holds"] + limits.map(\.0)
    return Chart(
      title: title,
      x: .init(title: "time", marks: marks, isLogarithmic: false),
      y: .init(
        title: "permits", marks: [0, 20, 40, 60, 80].map { (Double($0), "\($0)") },
        isLogarithmic: false),
      lines: zip(names, points).map { Chart.Line(name: $0, points: $1) })
  }

  @Test("the guide's pictures are those of the simulation; .ci/draw makes them again")
  func pictures() throws {
    let pictures = [
      "adaptive-halved": chart(
        "A server that loses half of its workers, and has them back", [("adaptive", adaptive())],
        [(10, 40), (10, 20), (10, 40)]),
      "adaptive-shared": chart(
        "Two clients of one server",
        [45, 1].map {
          (
            "began with \($0)",
            ConcurrencyLimit(adaptive: 1...200, startingAt: $0, clock: clock)
          )
        }, [(30, 40)]),
    ]
    for (name, picture) in pictures {
      let file = URL(filePath: #filePath).appending(
        path: "../../../../Documentation/Charts/\(name).svg"
      ).standardized
      if ProcessInfo.processInfo.environment["PACING_DRAW"] != nil {
        try picture.svg.write(to: file, atomically: true, encoding: .utf8)
      }
      #expect(try String(contentsOf: file, encoding: .utf8) == picture.svg, "\(name)")
    }
  }
}
