import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Limits: the law of the interval")
struct IntervalLawTests {
  /// An amount that was granted, or with a negative sign given back.
  struct Event {
    var at: Int
    var amount: Int
    /// A grant to a caller that did not wait.
    var isDirect = false
  }

  /// The rate and the burst from an instant on.
  struct Setting {
    var since: Int
    var tokens: Int
    var span: Int
    var burst: Int
  }

  /// What the program has observed, in nanoseconds.
  struct History {
    var counted = [Event]()
    var real = [Event]()
    var settings = [Setting]()
  }

  // MARK: Buckets

  @Test(
    "a bucket grants no more than its burst and what accrues, less what is given back",
    arguments: Soak.portions(2000))
  func buckets(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var program = BucketProgram(seed: seed, parts: 1)
      program.run(60)
      Self.check(program, "seed \(seed)")
    }
  }

  @Test(
    "each of several buckets grants no more than its burst and what accrues",
    arguments: Soak.portions(2000))
  func severalBuckets(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var program = BucketProgram(seed: seed, parts: 2)
      program.run(60)
      Self.check(program, "seed \(seed)")
    }
  }

  private static func check(_ program: BucketProgram, _ comment: String) {
    for history in program.histories {
      expect(history.counted, in: history, catchUp: 0, "\(comment), the instants that count")
      expect(
        history.real, in: history, catchUp: program.catchUp, "\(comment), the instants of decision")
      // What they are given back may have been granted to others, so it counts in full.
      expect(
        history.real.filter { $0.isDirect || $0.amount < 0 }, in: history, catchUp: 0,
        "\(comment), calls that do not wait")
    }
  }

  /// Checks the law over every interval between two events.
  private static func expect(
    _ events: [Event], in history: History, catchUp: Int, _ comment: String
  ) {
    let events = events.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    .map(\.element)
    for first in events.indices where first == 0 || events[first - 1].at < events[first].at {
      var sum = 0
      for last in events[first...] {
        sum += last.amount
        let accrued = accrued(from: events[first].at - catchUp, to: last.at, history.settings)
        let burst = burst(in: events[first].at - catchUp...events[first].at, history.settings)
        guard Double(sum) > Double(burst) + accrued + 1e-6 else { continue }
        Issue.record("\(comment): \(sum) in \(events[first].at)...\(last.at)")
        return
      }
    }
  }

  /// What accrues, with a nanosecond more if a token takes no whole number of them, or after a
  /// change: the bucket keeps the fraction of a token, which takes none at the new rate.
  private static func accrued(from start: Int, to end: Int, _ settings: [Setting]) -> Double {
    var sum = 0.0
    for (index, setting) in settings.enumerated() {
      let since = index == 0 ? Int.min / 2 : setting.since
      let until = index + 1 < settings.count ? settings[index + 1].since : Int.max / 2
      let span = min(until, end) - max(since, start)
      guard span >= 0 else { continue }
      let exact = index == 0 && setting.span % setting.tokens == 0 ? 0 : 1
      sum += Double((span + exact) * setting.tokens) / Double(setting.span)
    }
    return sum
  }

  /// The most that the bucket can hold at the instants from which a first grant may count.
  private static func burst(in span: ClosedRange<Int>, _ settings: [Setting]) -> Int {
    let before = settings.last { $0.since < span.lowerBound } ?? settings[0]
    return settings.filter { span.contains($0.since) }.reduce(before.burst) { max($0, $1.burst) }
  }

  // MARK: Windows

  @Test(
    "no window of real time holds more than its count, less what is given back",
    arguments: Soak.portions(2000))
  func windows(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var program = WindowProgram(seed: seed)
      program.run(60)
      if let complaint = program.complaint { Issue.record("seed \(seed): \(complaint)") }
    }
  }
}

/// A random program on one or two buckets, which notes what is granted and given back.
private struct BucketProgram {
  private(set) var histories: [IntervalLawTests.History]
  let catchUp: Int
  private let clock = ManualClock(step: .milliseconds(1))
  private let origin: PacingInstant
  private let limit: any LimitingTool
  private let granted = Locked([(charge: Charge, cost: Int, at: PacingInstant)]())
  private var charges = [(charge: Charge, cost: Int)]()
  private var handles = [Acquisition]()
  private var random: SplitMix64

  init(seed: UInt64, parts: Int) {
    var random = SplitMix64(seed: seed)
    let settings = (0..<parts).map { _ in Self.setting(since: 0, using: &random) }
    histories = settings.map { IntervalLawTests.History(settings: [$0]) }
    catchUp = [0, 3, 10].randomElement(using: &random)! * 1_000_000
    origin = clock.now
    let queue = QueuePolicy(
      newestFirst: Bool.random(using: &random),
      catchUp: .nanoseconds(catchUp))
    limit =
      parts == 1
      ? TokenBucket(rate: settings[0].rate, burst: settings[0].burst, queue: queue, clock: clock)
      : RateLimiter(settings.map(\.limit), queue: queue, clock: clock)
    self.random = random
  }

  private static func setting(
    since: Int, using random: inout SplitMix64
  ) -> IntervalLawTests.Setting {
    IntervalLawTests.Setting(
      since: since, tokens: Int.random(in: 1...3, using: &random),
      span: Int.random(in: 1...20, using: &random) * 1_000_000,
      burst: Int.random(in: 1...6, using: &random))
  }

  private mutating func int(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private func nanoseconds(_ instant: PacingInstant) -> Int {
    Int(origin.duration(to: instant).attoseconds / 1_000_000_000)
  }

  private var now: Int { nanoseconds(clock.now) }

  mutating func run(_ steps: Int) {
    for _ in 0..<steps {
      step()
      clock.runReady()
      let granted = granted.withLock { granted in
        defer { granted = [] }
        return granted
      }
      for (charge, cost, at) in granted {
        charges.append((charge, cost))
        note(cost, counting: nanoseconds(charge.instant), on: nanoseconds(at))
      }
    }
  }

  private mutating func note(_ amount: Int, counting: Int, on now: Int, isDirect: Bool = false) {
    for index in histories.indices {
      histories[index].counted.append(.init(at: counting, amount: amount, isDirect: isDirect))
      histories[index].real.append(.init(at: now, amount: amount, isDirect: isDirect))
    }
  }

  private mutating func step() {
    switch int(0...19) {
    case 0...3: clock.advance(by: .microseconds(int(0...20_000)))
    case 4...6: clock.lapse(by: .microseconds(int(0...30_000)))
    case 7...11:
      let cost = int(1...6)
      let (clock, granted) = (clock, granted)
      handles.append(
        limit.acquire(
          Costs(cost), within: int(0...1) == 0 ? nil : .milliseconds(int(0...60))
        ) { result in
          guard case .success(let charge) = result else { return }
          granted.withLock { $0.append((charge, cost, clock.now)) }
        })
    case 12: _ = handles.randomElement(using: &random)?.cancel()
    case 13...14:
      let cost = int(1...4)
      let isGranted = int(0...1) == 0 ? limit.tryAcquire(cost) : limit.request(cost).isAllowed
      if isGranted { note(cost, counting: now, on: now, isDirect: true) }
    case 15...16: giveBack()
    case 17:
      if int(0...1) == 0 {
        limit.penalize(int(0...4))
      } else {
        limit.pause(for: .milliseconds(int(0...30)))
      }
    case 18:
      let count = int(0...2)
      note(-count, counting: now, on: now)
      limit.add(count)
    default: reconfigure()
    }
  }

  private mutating func giveBack() {
    guard let index = charges.indices.randomElement(using: &random) else { return }
    let (charge, cost) = charges.remove(at: index)
    let real = int(0...6)
    note(-max(0, cost - real), counting: now, on: now)
    if real == 0, int(0...1) == 0 { charge.cancel() } else { charge.settle(real) }
  }

  private mutating func reconfigure() {
    // What is due by now still counts under the settings so far.
    _ = limit.available
    let now = now
    let settings = histories.indices.map { _ in Self.setting(since: now, using: &random) }
    for index in histories.indices { histories[index].settings.append(settings[index]) }
    switch limit {
    case let bucket as TokenBucket:
      bucket.reconfigure(rate: settings[0].rate, burst: settings[0].burst)
    case let limiter as RateLimiter: limiter.reconfigure(settings.map(\.limit))
    default: break
    }
  }
}

extension IntervalLawTests.Setting {
  fileprivate var rate: Rate { Rate(tokens, per: .nanoseconds(span)) }
  fileprivate var limit: Limit { .tokenBucket(rate: rate, burst: burst) }
}

/// A random program on a window, which checks each grant against all before it.
private struct WindowProgram {
  enum Kind: CaseIterable { case sliding, fixed, grid }

  private(set) var complaint: String?
  private let kind: Kind
  private var count: Int
  private let length: Int
  private let clock = ManualClock(step: .milliseconds(1))
  private let origin: PacingInstant
  private let limiter: RateLimiter
  private let granted = Locked([(charge: Charge, cost: Int, at: PacingInstant)]())
  private var charges = [(charge: Charge, event: Int, cost: Int)]()
  private var events = [(at: Int, amount: Int)]()
  private var handles = [Acquisition]()
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    kind = Kind.allCases.randomElement(using: &random)!
    count = Int.random(in: 1...6, using: &random)
    length = Int.random(in: 1...40, using: &random) * 1_000_000
    origin = clock.now
    var limits = [Self.limit(kind, count, length)]
    if Bool.random(using: &random) { limits.append(.tokenBucket(rate: .perSecond(300), burst: 6)) }
    limiter = RateLimiter(limits, clock: clock)
  }

  private static func limit(_ kind: Kind, _ count: Int, _ length: Int) -> Limit {
    switch kind {
    case .sliding: .slidingWindow(count, per: .nanoseconds(length))
    case .fixed: .fixedWindow(count, per: .nanoseconds(length))
    case .grid: .fixedWindow(count, per: .nanoseconds(length), fromCreation: true)
    }
  }

  private mutating func int(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private func nanoseconds(_ instant: PacingInstant) -> Int {
    Int(origin.duration(to: instant).attoseconds / 1_000_000_000)
  }

  mutating func run(_ steps: Int) {
    for _ in 0..<steps where complaint == nil {
      step()
      collect()
    }
  }

  private mutating func collect() {
    clock.runReady()
    let granted = granted.withLock { granted in
      defer { granted = [] }
      return granted
    }
    for (charge, cost, at) in granted {
      note(cost, nanoseconds(at))
      charges.append((charge, events.count - 1, cost))
    }
  }

  /// Adds a grant, with which no window may hold too much.
  private mutating func note(_ amount: Int, _ now: Int) {
    events.append((now, amount))
    var start = 0
    switch kind {
    case .sliding: start = now - length + 1
    case .grid: start = now / length * length
    case .fixed:
      start = events[0].at
      for event in events where event.at >= start + length { start = event.at }
    }
    let sum = events.reduce(0) { $0 + ($1.at >= start ? $1.amount : 0) }
    if sum > count { complaint = "\(sum) of \(count) from \(start) to \(now), \(kind) \(length)" }
  }

  private mutating func step() {
    switch int(0...15) {
    case 0...3: clock.advance(by: .microseconds(int(0...20_000)))
    case 4...5: clock.lapse(by: .microseconds(int(0...30_000)))
    case 6...9:
      let cost = int(1...4)
      let (clock, granted) = (clock, granted)
      handles.append(
        limiter.acquire(Costs(cost), within: int(0...1) == 0 ? nil : .milliseconds(int(0...60))) {
          guard case .success(let charge) = $0 else { return }
          granted.withLock { $0.append((charge, cost, clock.now)) }
        })
    case 10: _ = handles.randomElement(using: &random)?.cancel()
    case 11...12:
      let cost = int(1...4)
      if limiter.tryAcquire(cost) { note(cost, nanoseconds(clock.now)) }
    case 13...14:
      guard let index = charges.indices.randomElement(using: &random) else { return }
      let (charge, event, cost) = charges.remove(at: index)
      let real = int(0...5)
      events[event].amount = min(real, cost)
      // What is missing may begin a window.
      if real > cost { events.append((nanoseconds(clock.now), 0)) }
      if real == 0, int(0...1) == 0 { charge.cancel() } else { charge.settle(real) }
    default:
      _ = limiter.available
      collect()
      count = int(1...6)
      limiter.reconfigure([Self.limit(kind, count, length)] + limiter.limits.dropFirst())
    }
  }
}
