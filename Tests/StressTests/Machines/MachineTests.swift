import Foundation
import Pacing
import PacingTesting
import TestSupport
import Testing

/// What holds on every machine: exactness, order and conservation of tools in real time.
///
/// `Tests/Machines/run` repeats it on machines that are busy, small, stopped, or out of
/// threads, descriptors or memory.
@Suite("Any machine", .serialized, .alone)
struct MachineTests {
  private let clock = DispatchClock()

  init() async {
    await Machine.prepare()
  }

  @Test("timers fire once each, and none is early")
  func timers() async {
    let count = 200
    let (fired, early) = (Counter(), Counter())
    let ended = CountDown(count)
    let timers = (0..<count).map { number in
      let due = clock.now.advanced(by: .milliseconds(number % 40))
      return DispatchTimer.scheduled(.once(at: due)) { [clock] _ in
        fired.add()
        if clock.now < due { early.add() }
        ended.arrive()
      }
    }
    await ended.wait()
    #expect(fired.value == count && early.value == 0)
    withExtendedLifetime(timers) {}
  }

  @Test("values from four threads keep each thread's order, and their counts add up")
  func order() async {
    let delivered = EventRecorder<Int>()
    let (threads, each) = (4, 500)
    let sent = CountDown(threads)
    let tool = Batcher<Int>(maximumCount: 50, maximumDelay: .milliseconds(5)) {
      for value in $0 { delivered.record(value) }
    }
    for thread in 0..<threads {
      DispatchQueue.global().async {
        for number in 0..<each { tool.send(thread * each + number) }
        sent.arrive()
      }
    }
    await sent.wait()
    _ = await tool.flushAndWait()
    let values = delivered.values
    #expect(values.count == threads * each)
    for thread in 0..<threads {
      #expect(values.filter { $0 / each == thread } == Array(thread * each..<(thread + 1) * each))
    }
    let counts = tool.statistics
    #expect(counts.received == counts.delivered && counts.pending == 0)
  }

  @Test("tasks that wait for tokens are all served, and not one too many at any time")
  func tokens() async throws {
    let bucket = TokenBucket(rate: .perSecond(1000), burst: 5)
    let granted = Counter()
    let start = clock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<60 {
        group.addTask { [clock] in
          try await bucket.acquire()
          let number = granted.add()
          // Ten milliseconds are the default of what a late timer may catch up.
          let most =
            5 + Double((start.duration(to: clock.now) + .milliseconds(10)) / .milliseconds(1))
          #expect(Double(number) <= most)
        }
      }
      try await group.waitForAll()
    }
    #expect(granted.value == 60)
  }

  @Test("handlers that block hold up no other for ever")
  func blocked() async {
    let free = DispatchSemaphore(value: 0)
    let other = CountDown(1)
    let ended = CountDown(Machine.blocked)
    let blockers = (0..<Machine.blocked).map { _ in
      DispatchTimer.scheduled(.once(after: .milliseconds(1))) { _ in
        free.wait()
        ended.arrive()
      }
    }
    let timer = DispatchTimer.scheduled(.once(after: .milliseconds(20))) { _ in other.arrive() }
    await other.wait()
    for _ in blockers { free.signal() }
    await ended.wait()
    withExtendedLifetime((blockers, timer)) {}
  }

  @Test("handlers that block all run, and the threads that the system refused them are counted")
  func refused() async {
    let count = 24
    let ended = CountDown(count)
    let timers = (0..<count).map { _ in
      DispatchTimer.scheduled(.once(after: .milliseconds(1))) { _ in
        usleep(50_000)
        ended.arrive()
      }
    }
    await ended.wait()
    #expect(SharedWorkers.system.counts.refused > 0 || !Machine.refusesThreads)
    withExtendedLifetime(timers) {}
  }

  @Test("a stream's ticks reconcile with what it missed")
  func ticks() async {
    let timer = DispatchTimer(.every(.milliseconds(2)))
    let ticks = timer.ticks()
    timer.start()
    var last = -1
    for await tick in ticks {
      #expect(tick.index == last + 1 + tick.missed)
      #expect(clock.now >= tick.scheduled)
      last = tick.index
      if last > 20 { break }
    }
    timer.cancel()
  }
}
