import Pacing
import PacingTesting
import TestSupport
import Testing

/// Two threads on virtual time: one has read the time and decides, the other moves it meanwhile.
@Suite("Entries that are late when they are scheduled")
struct LateEntryTests {
  private let clock = ManualClock()

  /// Schedules a sleep as a tool does that decided before time moved.
  private func schedule(until milliseconds: Int) -> OneShot<SleepEnd> {
    let sleep = OneShot<SleepEnd>()
    if clock.service.schedule(sleep, at: .at(milliseconds)).mustArm { clock.service.arm() }
    return sleep
  }

  @Test("wake at once: the thread that moved time looks no more")
  func wake() {
    clock.advance(by: .milliseconds(10))
    #expect(schedule(until: 10).isResolved)
    #expect(!schedule(until: 11).isResolved)
    #expect(clock.pendingCount == 1)
  }

  @Test("leave those alone that a lapse has made late: they wait for the next advance")
  func lapsed() {
    clock.advance(by: .milliseconds(1))
    var sleeps = [schedule(until: 5)]
    clock.lapse(by: .milliseconds(9))
    sleeps += [2, 5, 10].map(schedule)
    #expect(sleeps.count { $0.isResolved } == 0)
    #expect(schedule(until: 1).isResolved)
    clock.advance(by: .zero)
    #expect(sleeps.count { $0.isResolved } == 4)
    #expect(schedule(until: 10).isResolved)
  }

  @Test("wake one after the other, also those that such a wake schedules")
  func nested() {
    final class Chain: TimerTarget {
      let clock: ManualClock
      let depth = Slot<Int>()
      init(clock: ManualClock) { self.clock = clock }
      func wake(_ handle: TimerService.Handle) {
        let count = (depth.value ?? 0) + 1
        depth.put(count)
        guard count < 100_000 else { return }
        if clock.service.schedule(self, at: clock.now).mustArm { clock.service.arm() }
      }
    }
    let chain = Chain(clock: clock)
    chain.wake(.none)
    #expect(chain.depth.value == 100_000)
    #expect(clock.pendingCount == 0)
  }
}
