import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("TimerService", .alone)
struct TimerServiceTests {
  /// Records each wake, and checks that none precedes its deadline.
  final class Target: TimerTarget {
    let deadline: PacingInstant
    private let service: TimerService
    private let onWake: @Sendable () -> Void
    private let onRelease: @Sendable () -> Void
    private let wakes = EventRecorder<PacingInstant>()

    init(
      _ deadline: PacingInstant, in service: TimerService,
      onWake: @escaping @Sendable () -> Void = {}, onRelease: @escaping @Sendable () -> Void = {}
    ) {
      (self.deadline, self.service) = (deadline, service)
      (self.onWake, self.onRelease) = (onWake, onRelease)
    }

    deinit { onRelease() }

    var wakeCount: Int { wakes.values.count }

    func wake(_ handle: TimerService.Handle) {
      let now = service.now
      wakes.record(now)
      #expect(now >= deadline)
      onWake()
    }

    func schedule(within tolerance: Nanoseconds = 0) -> TimerService.Handle {
      let (handle, isEarliest) = service.schedule(self, at: deadline, tolerance: tolerance)
      if isEarliest { service.arm() }
      return handle
    }
  }

  let service = DispatchClock().service

  @Test("loses no wake while threads set ever earlier deadlines and cancel others")
  func arming() async {
    let (threads, count) = (8, 400)
    let left = CountDown(threads * count / 2)
    let kept = EventRecorder<Target>()
    let cancelled = EventRecorder<Target>()
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for index in 0..<count {
        let span =
          Nanoseconds(40_000_000 - index * 90_000) + .random(in: 0...80_000, using: &random)
        if index.isMultiple(of: 2) {
          let target = Target(service.now + span, in: service) { left.arrive() }
          kept.record(target)
          _ = target.schedule(within: index.isMultiple(of: 4) ? 0 : 500_000)
        } else {
          let target = Target(service.now + span / 100, in: service)
          cancelled.record(target)
          service.cancel(target.schedule())
        }
      }
    }
    await left.wait()
    #expect(kept.values.allSatisfy { $0.wakeCount == 1 })
    #expect(cancelled.values.allSatisfy { $0.wakeCount <= 1 })
  }

  @Test("wakes thousands that are due at once, in portions")
  func portions() async {
    let left = CountDown(3000)
    let deadline = service.now + 5_000_000
    for _ in 0..<3000 {
      _ = Target(deadline, in: service) { left.arrive() }.schedule()
    }
    await left.wait()
  }

  @Test("lets go of a target at cancel, with no lock held")
  func releases() {
    let released = EventRecorder<Bool>()
    for _ in 0..<100 {
      let handle = Target(
        service.now + 3_600_000_000_000, in: service,
        onRelease: { [service] in
          let other = Target(service.now + 3_600_000_000_000, in: service)
          service.cancel(other.schedule())
          released.record(service.pendingCount >= 0)
        }
      ).schedule()
      service.cancel(handle)
      service.cancel(handle)
    }
    #expect(released.values.count == 100)
  }

  @Test("a target that a wake lets go of can call the service back")
  func releasesAfterWake() async {
    let released = CountDown(300)
    for _ in 0..<300 {
      let target = Target(
        service.now + 1_000_000, in: service,
        onRelease: { [service] in
          service.cancel(Target(service.now + 1_000_000_000, in: service).schedule())
          released.arrive()
        })
      _ = target.schedule()
    }
    await released.wait()
  }
}
