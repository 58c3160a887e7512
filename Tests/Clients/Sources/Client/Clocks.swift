import Pacing
import PacingTesting

/// A program's own waiting, on any clock.
func pause<C: Clock>(on clock: C, for duration: C.Duration) async throws {
  try await clock.sleep(for: duration)
}

func sleepOnClocks() async throws {
  try await pause(on: .dispatch, for: .milliseconds(1))
  let clock = ManualClock()
  async let sleep: Void = pause(on: clock, for: .seconds(60))
  await clock.sleepers(atLeast: 1)
  verify(clock.pendingCount == 1, "one sleep is pending")
  verify(clock.nextDeadline == clock.now.advanced(by: .seconds(60)), "its deadline")
  clock.lapse(by: .seconds(30))
  clock.advance(to: clock.now.advanced(by: .seconds(30)))
  try await sleep
}
