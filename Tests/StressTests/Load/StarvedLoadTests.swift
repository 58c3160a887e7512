import Foundation
import Pacing
import PacingTesting
import TestSupport
import Testing

/// One of each tool at work, with invariants that hold even if the process was not scheduled.
private final class Workshop: Sendable {
  private static let period = Duration.milliseconds(10)

  private let clock = DispatchClock.apart()
  private let start: PacingInstant
  private let policies: [MissedTicks] = [.skip, .coalesce, .burst, .delay]
  private let ticks: [EventRecorder<Tick>]
  private let timers: [DispatchTimer]
  private let debounced = EventRecorder<Int>()
  private let debouncer: Debouncer<Int>
  private let throttled = EventRecorder<Int>()
  private let throttler: Throttler<Int>
  private let bucket: TokenBucket

  init() {
    let clock = clock
    start = clock.now
    let ticks = policies.map { _ in EventRecorder<Tick>() }
    self.ticks = ticks
    timers = zip(policies, ticks).map { missed, ticks in
      .scheduled(.every(Self.period, missed: missed), clock: clock) { ticks.record($0) }
    }
    let (debounced, throttled) = (debounced, throttled)
    debouncer = Debouncer(for: .milliseconds(50), clock: clock) { debounced.record($0) }
    throttler = Throttler(every: Self.period, clock: clock) { throttled.record($0) }
    bucket = TokenBucket(rate: .perSecond(800), burst: 5, clock: clock)
    debouncer.send(1)
    debouncer.send(2)
    for value in 1...20 { throttler.send(value) }
    for _ in 0..<100 { _ = bucket.acquire { _ in } }
  }

  /// Waits until all requested work is done, and checks it.
  func end() async {
    await bucket.acquireAll(100)
    await debouncer.flushAndWait()
    await throttler.flushAndWait()
    for timer in timers { await timer.cancelAndWait() }
    let end = clock.now
    for values in [debounced.values, throttled.values] {
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    }
    #expect(debounced.values.last == 2)
    #expect(throttled.values.first == 1 && throttled.values.last == 20)
    #expect(bucket.statistics.granted == 200 && bucket.waitingCount == 0)
    let elapsed = start.duration(to: end)
    #expect(200 <= 5 + 800 * (elapsed / .seconds(1)))
    for (policy, ticks) in zip(policies, ticks) {
      let all = ticks.values
      #expect(all.allSatisfy { $0.actual >= $0.scheduled }, "\(policy)")
      #expect(
        zip(all, all.dropFirst()).allSatisfy { $1.index == $0.index + 1 + $1.missed }, "\(policy)")
      #expect(
        zip(all, all.dropFirst()).allSatisfy { $0.scheduled < $1.scheduled }, "\(policy)")
      let most = Int(elapsed / Self.period)
      let counted = (all.last?.index ?? -1) + 1
      #expect(counted <= most && counted > 0, "\(policy): \(counted) of \(most)")
      if policy == .burst { #expect(all.allSatisfy { $0.missed == 0 }) }
    }
    #expect(clock.pendingCount == 0)
  }
}

extension TokenBucket {
  fileprivate func acquireAll(_ count: Int) async {
    for _ in 0..<count { _ = try? await acquire() }
  }
}

extension LoadTests {
  @Suite("Load: a process that does not run")
  struct StarvedLoad {
    @Test("every core is busy: nothing is lost, doubled or early, and ticks reconcile")
    func busyCores() async {
      let isOver = Slot(false)
      for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
        Thread { while isOver.value == false {} }.start()
      }
      let workshop = Workshop()
      await workshop.end()
      isOver.put(true)
    }

    // It stops the whole process and everything else in it, so it runs alone.
    @Test("the process is stopped for seconds and goes on", .enabled(if: LoadTests.isFull))
    func stopped() async throws {
      let workshop = Workshop()
      let own = ProcessInfo.processInfo.processIdentifier
      let stopper = Process()
      stopper.executableURL = URL(filePath: "/bin/sh")
      stopper.arguments = ["-c", "sleep 0.1; kill -STOP \(own); sleep 3; kill -CONT \(own)"]
      try stopper.run()
      let clock = DispatchClock()
      let before = clock.now
      while before.duration(to: clock.now) < .seconds(3) {
        try await clock.sleep(until: clock.now.advanced(by: .milliseconds(100)))
      }
      await workshop.end()
    }

    /// The command-line tool next to the tests; nil if it was not built.
    private static let pace: URL? = {
      let url = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "pace")
      return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
    }()

    @Test(
      "another process is stopped and goes on: each run comes once, and none early",
      .enabled(if: pace != nil))
    func stoppedChild() async throws {
      let count = 15
      let output = Pipe()
      let process = Process()
      process.executableURL = Self.pace
      process.arguments = [
        "every", "100ms", "--missed", "burst", "--count", "\(count)", "--", "echo", "run",
      ]
      process.standardOutput = output
      let clock = DispatchClock()
      let start = clock.now
      let instants = EventRecorder<PacingInstant>()
      try process.run()
      let ended = CountDown(1)
      Thread.detachNewThread {
        while case let text = output.fileHandleForReading.availableData, !text.isEmpty {
          let now = clock.now
          for byte in text where byte == UInt8(ascii: "\n") { instants.record(now) }
        }
        ended.arrive()
      }
      try await clock.sleep(until: clock.now.advanced(by: .milliseconds(400)))
      kill(process.processIdentifier, SIGSTOP)
      try await clock.sleep(until: clock.now.advanced(by: .seconds(LoadTests.isFull ? 5 : 1)))
      kill(process.processIdentifier, SIGCONT)
      await ended.wait()
      // What a run wrote is read after it: never early unless the run was.
      #expect(instants.values.count == count)
      for (index, instant) in instants.values.enumerated() {
        #expect(start.duration(to: instant) >= .milliseconds(100) * index)
      }
    }
  }
}
