import Pacing
import PacingTesting
import Synchronization
import Testing

@testable import pace

@Suite("LimitedLines")
struct LimitedLinesTests {
  private let clock = ManualClock()

  private func bytes(_ text: some StringProtocol) -> [UInt8] { Array(text.utf8) }

  /// The lines that are due after each step, with the number of steps: "a@0 bc@2".
  private func play(_ lines: inout LimitedLines, step: Duration, steps: Int) -> String {
    var events = [String]()
    for index in 0...steps {
      let due = String(decoding: lines.takeDue(), as: UTF8.self).filter { $0 != "\n" }
      if !due.isEmpty { events.append("\(due)@\(index)") }
      if index < steps { clock.advance(by: step) }
    }
    return events.joined(separator: " ")
  }

  @Test("spaces lines evenly, the first at once")
  func spaces() {
    var lines = LimitedLines(rate: .perSecond(10), burst: 1, clock: clock)
    lines.append(bytes("a\nb\nc\nd"))
    #expect(lines.delay == .zero)
    #expect(play(&lines, step: .milliseconds(50), steps: 9) == "a@0 b@2 c@4")
    #expect(lines.delay == nil)
    lines.finish()
    #expect(play(&lines, step: .milliseconds(50), steps: 2) == "d@0")
  }

  @Test("lets a burst through at once")
  func burst() {
    var lines = LimitedLines(rate: .perSecond(10), burst: 3, clock: clock)
    lines.append(bytes("a\nb\nc\nd\ne\n"))
    #expect(play(&lines, step: .milliseconds(100), steps: 3) == "abc@0 d@1 e@2")
  }

  @Test("a late wake delays lines that have been read, but costs no rate")
  func late() {
    var lines = LimitedLines(rate: .perSecond(100), burst: 1, clock: clock)
    lines.append(bytes("a\nb\nc\nd\n"))
    #expect(lines.takeDue().elementsEqual(bytes("a\n")))
    clock.advance(by: .milliseconds(25))
    #expect(lines.takeDue().elementsEqual(bytes("b\nc\n")))
    #expect(lines.delay == .milliseconds(5))
  }

  @Test("a pause earns no more than the burst")
  func pause() {
    var lines = LimitedLines(rate: .perSecond(100), burst: 2, clock: clock)
    clock.advance(by: .seconds(10))
    lines.append(bytes("a\nb\nc\nd\n"))
    #expect(play(&lines, step: .milliseconds(5), steps: 6) == "ab@0 c@2 d@4")
  }

  @Test("lines of a millisecond leave together, when the last of them is due")
  func blocks() {
    var lines = LimitedLines(rate: .perSecond(5_000), burst: 1, clock: clock)
    lines.append(bytes((1...11).map { "\($0)\n" }.joined()))
    #expect(lines.takeDue().elementsEqual(bytes("1\n")))
    #expect(lines.delay == .milliseconds(1))
    clock.advance(by: .nanoseconds(999_999))
    #expect(lines.takeDue().isEmpty)
    clock.advance(by: .nanoseconds(1))
    #expect(lines.takeDue().elementsEqual(bytes("2\n3\n4\n5\n6\n")))
    #expect(lines.delay == .milliseconds(1))
  }

  @Test("reads no more lines ahead than it may: bytes, since a line has at least one")
  func room() {
    var slow = LimitedLines(rate: Rate(1, per: .seconds(3_600)), burst: 2, clock: clock)
    #expect(slow.room == 2)
    slow.append(bytes("a\n"))
    #expect(slow.room == 1)
    slow.append(bytes("b\n"))
    #expect(slow.room == 0)
    _ = slow.takeDue()
    #expect(slow.room == 1)
    slow.append(bytes("c\n"))
    #expect(slow.room == 0)

    var fast = LimitedLines(rate: .perSecond(1_000), burst: 1, clock: clock)
    #expect(fast.room == 22)
    fast.append(bytes(String(repeating: "\n", count: 22)))
    #expect(fast.room == 0)
    clock.advance(by: .milliseconds(11))
    _ = fast.takeDue()
    #expect(fast.room == 11)
  }

  @Test("the largest burst is no more than there is room to read", arguments: [0, 1])
  func largestBurst(used: Int) {
    var lines = LimitedLines(rate: .perSecond(1), burst: .max - used, clock: clock)
    lines.append(bytes("a\n"))
    #expect(lines.room == 1 << 20)
    #expect(lines.takeDue().elementsEqual(bytes("a\n")))
  }

  @Test("does not read a long line byte by byte")
  func longLine() {
    var lines = LimitedLines(rate: Rate(1, per: .seconds(3_600)), burst: 1, clock: clock)
    lines.append([UInt8](repeating: 120, count: 10_000))
    #expect(lines.room == 10_000)
    lines.append([UInt8](repeating: 120, count: 10_000_000))
    #expect(lines.room == 1 << 20)
  }

  @Test("hands out everything at an interruption, in order")
  func takesAll() {
    var lines = LimitedLines(rate: .perSecond(1), burst: 1, clock: clock)
    lines.append(bytes("a\nb\nc"))
    #expect(lines.takeAll().elementsEqual(bytes("a\nb\nc")))
    #expect(lines.delay == nil)
  }

  @Test("a wait that no timer can count never ends")
  func never() {
    var lines = LimitedLines(rate: Rate(1, per: .seconds(9_000_000_000)), burst: 1, clock: clock)
    lines.append(bytes("a\nb\nc\n"))
    clock.advance(by: .seconds(9_000_000_000))
    #expect(lines.takeDue().elementsEqual(bytes("a\nb\n")))
    #expect(lines.delay.map { $0 > .zero } == true)
  }

  @Test(
    "wakes that are late by up to 10 ms cost no rate", arguments: [60, 1_000, 10_000, 100_000])
  func share(perSecond: Int) {
    var generator = SplitMix64(seed: UInt64(perSecond))
    var lines = LimitedLines(rate: .perSecond(perSecond), burst: 1, clock: clock)
    let start = clock.now
    var total = 0
    while start.duration(to: clock.now) < .seconds(2) {
      // An input that never ends, in lines of five bytes.
      while lines.room > 0 {
        lines.append(bytes((0..<lines.room).map { $0 % 5 == 4 ? "\n" : "x" }.joined()))
      }
      clock.advance(by: lines.delay ?? .zero)
      clock.advance(by: .microseconds(Int.random(in: 0...10_000, using: &generator)))
      total += lines.takeDue().count { $0 == UInt8(ascii: "\n") }
    }
    let seconds = start.duration(to: clock.now) / .seconds(1)
    #expect(Double(total) >= 0.98 * Double(perSecond) * seconds)
    #expect(Double(total) <= 1 + Double(perSecond) * seconds)
  }

  /// A clock on which a hundredth of a millisecond passes at each reading, as on a slow machine.
  private final class SlowClock: Clock, Sendable {
    let readings = Atomic(0)
    var minimumResolution: Duration { .nanoseconds(1) }
    var now: PacingInstant {
      let reading = readings.add(1, ordering: .relaxed).newValue
      return PacingInstant(nanoseconds: Int64(reading) * 10_000)
    }

    func sleep(until deadline: PacingInstant, tolerance: Duration?) async throws {}
  }

  @Test("lines whose tokens come while they are handled form blocks too")
  func slowMachine() {
    let slow = SlowClock()
    var lines = LimitedLines(rate: .perSecond(100_000), burst: 1, clock: slow)
    lines.append(bytes(String(repeating: "\n", count: 10_000)))
    #expect(slow.readings.load(ordering: .relaxed) < 500)
  }

  @Test("the pieces of a long line are handled without a look at the clock")
  func pieces() {
    let slow = SlowClock()
    var lines = LimitedLines(rate: .perSecond(1), burst: 1, clock: slow)
    let before = slow.readings.load(ordering: .relaxed)
    for _ in 0..<1_000 {
      lines.append(bytes("xx"))
      #expect(lines.takeDue().isEmpty && lines.delay == nil)
    }
    #expect(slow.readings.load(ordering: .relaxed) == before)
    lines.append(bytes("\n"))
    #expect(lines.takeDue().count == 2_001)
  }

  @Test("no interval has more lines than the burst, its rate and a millisecond", arguments: 0..<30)
  func law(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let (perSecond, burst) = (
      [7, 90, 1_000, 30_000].randomElement(using: &generator)!,
      Int.random(in: 1...20, using: &generator)
    )
    var lines = LimitedLines(rate: .perSecond(perSecond), burst: burst, clock: clock)
    let start = clock.now
    var left = [(time: Duration, total: Int)]()
    var (total, sent) = (0, 0)
    for _ in 0..<400 {
      if Bool.random(using: &generator) {
        let count = Int.random(in: 0...max(0, min(lines.room, 200)), using: &generator)
        lines.append([UInt8](repeating: UInt8(ascii: "\n"), count: count))
        sent += count
      }
      clock.advance(by: .microseconds(Int.random(in: 0...20_000, using: &generator)))
      total += lines.takeDue().count
      left.append((start.duration(to: clock.now), total))
    }
    #expect(sent >= total, "seed \(seed)")
    // What was late leaves later: from the start, nothing is early.
    for (time, total) in left {
      let most = Double(burst) + Double(perSecond) * (time / .seconds(1))
      #expect(Double(total) <= most + 1e-6, "seed \(seed)")
    }
    clock.advance(by: .seconds(1_000))
    #expect(total + lines.takeDue().count == sent, "seed \(seed)")
  }
}
