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
  let adapted = AdaptedClock.adapting(foreign)
  for await tick in DispatchTimer.ticks(.every(.milliseconds(1), count: 2), clock: adapted) {
    verify(tick.lateness >= .zero, "no tick is early")
  }
  try await pause(on: AdaptedClock(SuspendingClock()), for: .milliseconds(1))
  try await DispatchClock.countingSleep.sleep(for: .milliseconds(1))
  for await _ in DispatchTimer.ticks(.once(after: .milliseconds(1)), clock: .countingSleep) {}

  let bounded = try DispatchClock(validatingMaximumPending: 1)
  let timers = (0..<2).map { _ in
    DispatchTimer(.once(after: .seconds(3600)), clock: bounded) { _ in }
  }
  verify(timers.map { $0.start() } == [true, false], "there is room for one")
  verify(bounded.pendingCount == 1, "one is pending")
  verify(bounded.nextDeadline == timers[0].nextDeadline, "its deadline")
}
