import Foundation
import Pacing
import PacingTesting
import TestSupport
import Testing

/// The lateness of a thread that only waits for time: the machine's own cost.
private final class BareThread: Sendable {
  private let isOver = Slot(false)
  private let worst = Slot<Duration>(.zero)

  init() {
    Thread { [isOver, worst] in
      let clock = DispatchClock()
      while isOver.value == false {
        let due = clock.now.advanced(by: .milliseconds(1))
        usleep(1000)
        let late = due.duration(to: clock.now)
        if late > worst.value! { worst.put(late) }
      }
    }.start()
  }

  deinit {
    isOver.put(true)
  }

  /// The bound on another handler's lateness: ten milliseconds, plus ten times the machine's own
  /// lateness.
  var bound: Duration { .milliseconds(10) + worst.value! * 10 }
}

@Suite("Handlers that block", .serialized, .alone)
struct HeldUpTests {
  private let clock = DispatchClock()

  /// Blocks `count` handlers, and returns the lateness of another handler due a millisecond later.
  private func wait(besideBlocked count: Int, for span: Duration) async -> Duration {
    let start = clock.now.advanced(by: .milliseconds(20))
    let ended = CountDown(count + 1)
    let blocked = (0..<count).map { _ in
      DispatchTimer.scheduled(.once(at: start)) { _ in
        Thread.sleep(forTimeInterval: span / .seconds(1))
        ended.arrive()
      }
    }
    let late = Slot<Duration>()
    let due = start.advanced(by: .milliseconds(1))
    let other = DispatchTimer.scheduled(.once(at: due)) { [clock] _ in
      late.put(due.duration(to: clock.now))
      ended.arrive()
    }
    await ended.wait()
    withExtendedLifetime((blocked, other)) {}
    return late.value!
  }

  // Bounds on real time hold on a machine that does nothing else.

  @Test(
    "a burst of them holds up no other tool", .enabled(if: LoadTests.isFull),
    arguments: [(10, 20), (100, 5), (100, 20), (100, 100), (120, 1000)])
  func burst(count: Int, milliseconds: Int) async {
    let bare = BareThread()
    for _ in 0..<3 {
      let late = await wait(besideBlocked: count, for: .milliseconds(milliseconds))
      #expect(late < bare.bound)
    }
  }

  @Test("a steady load of them holds up no other tool", .enabled(if: LoadTests.isFull))
  func steady() async throws {
    let bare = BareThread()
    let start = clock.now
    let blocking = (0..<300).map { index in
      let first = start.advanced(by: .microseconds(index * 333))
      return DispatchTimer.scheduled(.every(.milliseconds(100), first: .at(first))) { _ in
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
    let ticks = EventRecorder<Tick>()
    let other = DispatchTimer.scheduled(every: .milliseconds(20)) { ticks.record($0) }
    await ticks.values(atLeast: 100)
    for timer in blocking + [other] { timer.cancel() }
    let late = ticks.values.map(\.lateness).sorted()
    #expect(late[late.count / 2] < .milliseconds(5) + bare.bound / 4)
    #expect(late[late.count * 98 / 100] < bare.bound)
  }

  @Test(
    "a keyed tool whose handlers need seven threads does not fall behind",
    .enabled(if: LoadTests.isFull))
  func keyed() async throws {
    let bare = BareThread()
    let ended = Counter()
    let tool = KeyedDebouncer<Int, Int>(for: .milliseconds(1)) { _, _ in
      Thread.sleep(forTimeInterval: 0.005)
      ended.add()
    }
    let start = clock.now
    for index in 1...3000 {
      tool.send(index, for: index)
      try await clock.sleep(until: start.advanced(by: .microseconds(index * 667)))
    }
    // Calls in flight within one allowance, at 1,500 per second, plus those running.
    let allowed = Int((bare.bound + .milliseconds(20)) / .milliseconds(1)) * 3 / 2 + 128
    #expect(3000 - ended.value < allowed)
    await tool.cancelAndWait()
  }

  /// The number of threads in the process; nil if the system does not list them.
  private var threadCount: Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }

  @Test("the threads of a burst go away within ten seconds", .enabled(if: LoadTests.isFull))
  func threadsGoAway() async throws {
    let (begun, gate) = (CountDown(100), DispatchSemaphore(value: 0))
    let blocked = (0..<100).map { _ in
      DispatchTimer.scheduled(after: .zero) {
        begun.arrive()
        gate.wait()
      }
    }
    await begun.wait()
    let most = threadCount
    for _ in blocked { gate.signal() }
    guard let most else { return }
    let end = clock.now.advanced(by: .seconds(10))
    while threadCount! > most - 80, clock.now < end {
      try await clock.sleep(for: .milliseconds(100))
    }
    #expect(threadCount! <= most - 80)
  }

  @Test(
    "ten thousand handlers that block take little more than 128 threads need",
    .enabled(if: LoadTests.isFull))
  func manyBlocked() async {
    let bare = BareThread()
    let ended = CountDown(10_000)
    let start = clock.now
    let timers = (0..<10_000).map { _ in
      DispatchTimer.scheduled(after: .zero) {
        Thread.sleep(forTimeInterval: 0.02)
        ended.arrive()
      }
    }
    await ended.wait()
    // Each of the 79 rounds may be as late as a bare thread.
    let needed = (.milliseconds(20) + (bare.bound - .milliseconds(10)) / 10) * 79
    #expect(start.duration(to: clock.now) < needed * 3 / 2)
    withExtendedLifetime(timers) {}
  }

  @Test("a cancellation handler that blocks when a timeout cancels delays no timer")
  func blockedCancellation() async {
    let gate = DispatchSemaphore(value: 0)
    let operation = Task { [clock] in
      try await withTimeout(.milliseconds(10), clock: clock) {
        await withTaskCancellationHandler {
          // A sleep that does not read the deadline.
          try? await Task.sleep(for: .seconds(60))
        } onCancel: {
          gate.wait()
        }
      }
    }
    let ticks = EventRecorder<Tick>()
    let timer = DispatchTimer.scheduled(every: .milliseconds(5)) { ticks.record($0) }
    // Ends only if the timer keeps ticking.
    await ticks.values(atLeast: 20)
    timer.cancel()
    gate.signal()
    await #expect(throws: TimeoutError.self) { try await operation.value }
  }
}
