import Foundation
import TestSupport
import Testing

/// Many tools of all kinds on one clock, against their oracles.
///
/// A failure reports how to reproduce it. The run of a seed changes with the tools and their
/// oracles.
///
/// - `PACING_SEED`: the only seed to run, to reproduce a failure.
/// - `PACING_STEPS`: the number of steps per run.
/// - `PACING_TOOLS`: the number of tools at a time.
/// - `PACING_SOAK`: the factor on the number of runs.
@Suite("Simulation")
struct SimulationTests {
  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  private static let seeds = setting("PACING_SEED").map { [UInt64($0)] } ?? Soak.seeds(8)

  @Test("each tool does what its oracle does, at every step", arguments: seeds)
  func agrees(seed: UInt64) throws {
    let steps = Self.setting("PACING_STEPS") ?? 8_000
    let simulation = Simulation(seed: seed, tools: Self.setting("PACING_TOOLS") ?? 200)
    try simulation.run(steps: steps)
    #expect(simulation.made >= 200)
  }
}
