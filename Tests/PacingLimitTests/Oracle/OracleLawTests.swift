import Pacing
import TestSupport
import Testing

@Suite("Limits: the oracle")
struct OracleLawTests {
  @Test(
    "every program has the answers, grants, instants and refusals of a limit that lives through time",
    arguments: 0..<3, Soak.portions(2800))
  func programs(kind: Int, seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var program = LimitProgram(seed: seed * 3 + UInt64(kind), kind: kind)
      program.run(30)
      if let complaint = program.complaint {
        Issue.record("seed \(seed): \(complaint)\n\(program.log.joined(separator: "\n"))")
      }
    }
  }
}
