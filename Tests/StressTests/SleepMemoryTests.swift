import Pacing
import TestSupport
import Testing

@Suite("Sleeps and memory", .alone)
struct SleepMemoryTests {
  private static let sleepsPerRound = 10_000

  // A leaked sleep would keep two kilobytes. The test library keeps about 150 bytes for the
  // backtrace of each error thrown, and other tests run meanwhile.
  @Test(
    "swift#60441: hour-long sleeps that are cancelled give their memory back at once",
    .enabled(if: Memory.residentBytes != nil))
  func cancelledSleeps() async throws {
    let clock = DispatchClock(maximumPending: .max)
    let rounds = 20 * Soak.scale
    await cancelSleeps(on: clock, rounds: 2)
    let before = try #require(Memory.residentBytes)
    await cancelSleeps(on: clock, rounds: rounds)
    let growth = try #require(Memory.residentBytes) - before
    let limit = 60_000_000 + rounds * Self.sleepsPerRound * 400
    #expect(growth < limit, "\(growth) bytes more")
    #expect(clock.pendingCount == 0)
  }

  private func cancelSleeps(on clock: DispatchClock, rounds: Int) async {
    for _ in 0..<rounds {
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<Self.sleepsPerRound {
          group.addTask {
            do {
              try await clock.sleep(for: .seconds(3600))
              return false
            } catch {
              return error is CancellationError
            }
          }
        }
        group.cancelAll()
        for await wasCancelled in group where !wasCancelled { Issue.record("it woke up") }
      }
    }
  }
}
