import Pacing
import PacingTesting

@testable import TestSupport

/// The ticks of a timer as streams with slow readers that join and leave, against a timer that
/// walks its grid and the tick numbers that each reader received.
final class TickSubject: Subject {
  private struct Reader {
    let consumer: Consumer
    /// The newest tick offered to the reader; nil if it joined between two ticks.
    var newest: Int?
    /// The newest tick that the reader received.
    var found: Int?
  }

  private var oracle: NaiveTimer
  /// The number of ticks to come.
  private var left: Int?
  private var newest = -1
  private var ticks = 0
  private var readers = [Reader]()
  private var names = 0
  /// Nil if the only stream owns its timer.
  private var timer: DispatchTimer?

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let policy = NaiveTimer.Policy.allCases.randomElement(using: &random)!
    let period = Int.random(in: 1...30, using: &random)
    oracle = NaiveTimer(policy, period: period)
    left = Bool.random(using: &random) ? Int.random(in: 1...80, using: &random) : nil
    super.init(scene)
    let schedule = TickSchedule.every(
      .milliseconds(period), count: left, missed: policy.missed)
    _ = oracle.start(at: now)
    if Int.random(in: 0..<4, using: &random) > 0 {
      timer = DispatchTimer(schedule, clock: scene.clock)
      timer?.start()
    } else {
      read(DispatchTimer.ticks(schedule, clock: scene.clock))
    }
  }

  private static func number(_ tick: Tick, missed: Int, remaining: Int?) -> Int {
    [tick.index, missed, tick.scheduled.milliseconds, tick.actual.milliseconds, remaining ?? -1]
      .reduce(0) { $0 &* 10_007 &+ $1 }
  }

  private func read(_ ticks: AsyncStream<Tick>) {
    let consumer = Consumer(journal, lane: names) {
      ticks
    } number: {
      Self.number($0, missed: $0.missed, remaining: $0.remaining)
    }
    // A reader from the start is told of the ticks missed before the first.
    readers.append(Reader(consumer: consumer, newest: newest < 0 ? newest : nil))
    names += 1
    if oracle.phase == .finished { consumer.finish(at: now, in: self) }
  }

  // MARK: The oracle

  override var dueTime: Int? { oracle.phase == .running ? oracle.next : nil }

  override func settle(at time: Int) {
    while oracle.phase != .finished, let tick = oracle.nextDue(at: time) {
      (newest, ticks) = (tick.index, ticks + 1)
      left = left.map { $0 - 1 }
      for index in readers.indices { offer(tick, to: &readers[index]) }
      if left == 0 { finish(at: time) }
    }
  }

  private func offer(_ tick: Tick, to reader: inout Reader) {
    if reader.consumer.count == 0 { reader.found = reader.newest }
    reader.newest = tick.index
    let missed = reader.found.map { tick.index - $0 - 1 } ?? 0
    reader.consumer.offer(
      Self.number(tick, missed: missed, remaining: left), at: tick.actual.milliseconds, in: self)
  }

  private func finish(at time: Int) {
    oracle.phase = .finished
    isOver = true
    for reader in readers { reader.consumer.finish(at: time, in: self) }
  }

  // MARK: The calls

  override func call(_ random: inout SplitMix64) -> Bool {
    readers.removeAll { $0.consumer.hasEnded }
    let reader = readers.randomElement(using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4 where readers.count < 4:
      guard let timer else { break }
      settle(at: now)
      read(timer.ticks())
    case 4: leave(reader)
    case 5..<10:
      guard let timer else { break }
      return callTimer(timer, &random)
    case 10 where names > 6:
      guard let timer else { break }
      return cancel(timer)
    default: reader?.consumer.goOn(at: now, in: self)
    }
    return true
  }

  private func callTimer(_ timer: DispatchTimer, _ random: inout SplitMix64) -> Bool {
    let call = (NaiveTimer.Call.allCases + [.start]).randomElement(using: &random)!
    let argument = Int.random(in: 1...20, using: &random)
    if call != .reset { settle(at: now) }
    let agrees = oracle.agrees(with: timer, on: call, argument, hasDecided: false, at: now)
    settle(at: now)
    return agrees
  }

  private func leave(_ reader: Reader?) {
    reader?.consumer.cancel(at: now, in: self)
    guard timer == nil, reader != nil else { return }
    // The timer ends with its only stream.
    finish(at: now)
  }

  /// Withdraws the next tick, and the waiting ones.
  private func cancel(_ timer: DispatchTimer) -> Bool {
    let hadTick = oracle.phase == .running || readers.contains { $0.consumer.count > 0 }
    for reader in readers { _ = reader.consumer.withdraw() }
    finish(at: now)
    return timer.cancel() == hadTick
  }

  override var isConsistent: Bool {
    guard let timer else { return true }
    return timer.state == oracle.phase && timer.remainingCount == left.map { isOver ? 0 : $0 }
  }

  override var description: String {
    "TickSubject of \(oracle), \(ticks) ticks, \(left, default: "any") left, \(readers.count) read"
  }

  override func end() {
    if let timer { _ = cancel(timer) }
    timer = nil
    for reader in readers {
      if !isOver { reader.consumer.cancel(at: now, in: self) }
      while !reader.consumer.hasEnded {
        reader.consumer.goOn(at: now, in: self)
        clock.runReady()
      }
    }
  }
}
