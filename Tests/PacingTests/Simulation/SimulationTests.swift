import Foundation
import TestSupport
import Testing

/// Many tools of all kinds on one clock, beside their oracles.
///
/// A failure says how to see it again. What a seed does, changes with the tools and their oracles.
///
/// - `PACING_SEED`: the seed of the only run, to see a failure again.
/// - `PACING_STEPS`: how many steps a run has.
/// - `PACING_TOOLS`: how many tools there are at a time.
/// - `PACING_SOAK`: how many times as many runs.
@Suite("Simulation")
struct SimulationTests {
  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  private static let seeds = setting("PACING_SEED").map { [UInt64($0)] } ?? Soak.seeds(8)

  @Test("each tool does what its oracle does, at every step", arguments: seeds)
  func agrees(seed: UInt64) async throws {
    let steps = Self.setting("PACING_STEPS") ?? 8_000
    let simulation = Simulation(seed: seed, tools: Self.setting("PACING_TOOLS") ?? 200)
    try await simulation.run(steps: steps)
    #expect(simulation.made >= 200)
  }
}
