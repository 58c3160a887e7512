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

func timeOnClocks() async throws {
  let foreign: any Clock<Duration> = ContinuousClock()
  for await tick in DispatchTimer.ticks(.every(.milliseconds(1), count: 2), clock: foreign) {
    verify(tick.lateness >= .zero, "no tick is early")
  }
  try await pause(on: SuspendingClock(), for: .milliseconds(1))
  try await DispatchClock.countingSleep.sleep(for: .milliseconds(1))
  for await _ in DispatchTimer.ticks(.once(after: .milliseconds(1)), clock: .countingSleep) {}

  let own = SuspendingClock()
  let timer = DispatchTimer(.once(after: .seconds(3600)), clock: own)
  timer.start()
  guard let due = timer.nextDeadline else { return verify(false, "a deadline") }
  verify(own.instant(of: due) > own.now, "as the clock tells it")
  verify(own.pacingInstant(of: own.instant(of: due)) == due, "and back")
}
