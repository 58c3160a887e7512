import TestSupport
import Testing

/// Random programs over the public interface, on tools of all kinds with handlers that call any
/// tool, drop references, cancel others and block, on virtual threads or on the one that advances
/// the clock; consumers that are slow; timers that are late, and a wall clock that is set.
///
/// A failure prints the shortest program that was found to fail.
@Suite("Random programs")
struct ProgramTests {
  private static func failure(_ program: Program, _ fault: ProgramRun.Fault? = nil) -> String? {
    guard let first = ProgramRun(program, fault: fault).violation() else { return nil }
    let shortest = program.shrunk { ProgramRun($0, fault: fault).violation() != nil }
    return "\(ProgramRun(shortest, fault: fault).violation() ?? first)\n\(shortest)"
  }

  private static func run(_ seeds: ClosedRange<UInt64>, tools: (UInt64) -> Int) {
    for seed in seeds {
      let count = tools(seed)
      let program = Program(seed: seed, tools: count, lines: 60 * count)
      if let failure = failure(program) { Issue.record("seed \(seed): \(failure)") }
    }
  }

  @Test(
    "keep every count, order and reference, whatever a few tools do to each other",
    arguments: Soak.portions(100))
  func programs(seeds: ClosedRange<UInt64>) {
    Self.run(seeds) { 2 + Int($0 % 5) }
  }

  @Test("do so in a process of dozens of tools", arguments: Soak.portions(15))
  func process(seeds: ClosedRange<UInt64>) {
    Self.run(seeds) { Program.leastProcess + Int($0 % 24) }
  }

  @Test(
    "that fail are told as a short one",
    arguments: [
      ProgramRun.Fault.losesValuesOfHandlers, .deliversTwice, .hurries, .forgetsLooks,
    ])
  func shrinking(fault: ProgramRun.Fault) throws {
    let failures = Array(
      (1...60 as ClosedRange<UInt64>).lazy.compactMap { seed in
        Self.failure(Program(seed: seed, tools: 5, lines: 200), fault)
      }.prefix(3))
    try #require(failures.count > 2)
    let shortest = failures.min { $0.count < $1.count }!
    #expect(shortest.split(separator: "\n").count <= 10, "\(shortest)")
  }
}
