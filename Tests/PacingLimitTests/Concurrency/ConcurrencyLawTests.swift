import Pacing
import TestSupport
import Testing

@Suite("ConcurrencyState: laws")
struct ConcurrencyLawTests {
  /// The state beside the model.
  struct Pair {
    var state: ConcurrencyState<Int>
    var model: PermitModel
    /// Whether a timer wakes the state for each deadline; otherwise only calls do.
    let isPunctual: Bool
    var decided = DecidedRequests<Int>()
    var told = [String]()
    var places = [(name: Int, place: WaiterQueue<Int>.Place)]()
    var returned = 0

    init(isLimited: Bool, using random: inout SplitMix64) {
      let count = Int.random(in: 1...4, using: &random)
      let maximum = Int.random(in: 0...6, using: &random)
      let (isNewestFirst, dropsOldest) = (
        Bool.random(using: &random), Bool.random(using: &random)
      )
      let limits = (0..<(isLimited ? Int.random(in: 1...2, using: &random) : 0)).map { _ in
        Self.limit(using: &random)
      }
      // Windows count the real instants of late wakes.
      let hasWindows = limits.contains { if case .window = $0.model { true } else { false } }
      isPunctual = hasWindows || Bool.random(using: &random)
      state = ConcurrencyState(
        count, limitedBy: limits.map(\.limit),
        queue: QueuePolicy(
          maximumWaiters: maximum, order: isNewestFirst ? .newestFirst : .oldestFirst,
          whenFull: dropsOldest ? .dropOldest : .refuseNewest),
        at: Self.at(0))
      model = PermitModel(
        policy: (maximum, isNewestFirst, dropsOldest), count: count, limits: limits.map(\.model))
    }

    private static func limit(
      using random: inout SplitMix64
    ) -> (limit: Limit, model: PermitModel.Limit) {
      let (count, time) = (
        Int.random(in: 1...3, using: &random), Int.random(in: 1...12, using: &random)
      )
      guard Bool.random(using: &random) else {
        return (
          .slidingWindow(count, per: .nanoseconds(time)),
          .window(count: count, length: time, starts: [])
        )
      }
      let initial = Int.random(in: 0...count, using: &random)
      return (
        .tokenBucket(rate: .every(.nanoseconds(time)), burst: count, initial: initial),
        .bucket(period: time, burst: count, level: initial * time)
      )
    }

    static func at(_ nanosecond: Int) -> PacingInstant {
      PacingInstant(nanoseconds: Nanoseconds(nanosecond))
    }

    mutating func note(_ name: Int, _ outcome: Turn.Outcome) {
      switch outcome {
      case .granted(let instant): told.append("\(name) granted at \(instant.nanoseconds)")
      case .refused(let error): told.append("\(name) \(error.reason)")
      case .withdrawn, .ended: told.append("\(name) \(outcome)")
      }
    }

    /// Lets time pass, with the wakes that the state asks for or without any.
    mutating func pass(until now: Int) {
      while isPunctual, state.deadline < Self.at(now) {
        state.review(at: state.deadline, telling: &decided)
        collect()
      }
      model.settle(at: now)
    }

    mutating func act(_ name: Int, at now: Int, using random: inout SplitMix64) {
      let instant = Self.at(now)
      pass(until: now)
      switch Int.random(in: 0..<9, using: &random) {
      case 0...3:
        let timeout = [nil, 0, 1, 3, 9, 40].randomElement(using: &random)!
        let entrance = state.enter(
          1, within: timeout.map { Nanoseconds($0) }, mayAlwaysJoin: false, at: instant,
          telling: &decided
        ) { name }
        collect()
        switch entrance {
        case .decided(let outcome): note(name, outcome)
        case .waiting(let place): places.append((name, place))
        }
        model.enter(name, within: timeout)
      case 4, 5:
        state.review(at: instant, telling: &decided)
        guard state.held > 0 else { return collect() }
        state.release()
        returned += 1
        state.review(at: instant, telling: &decided)
        model.held -= 1
        model.settle()
      case 6:
        guard let index = places.indices.randomElement(using: &random) else { return }
        let (name, place) = places.remove(at: index)
        // A withdrawal wins over a deadline that the timer has not noticed.
        state.review(at: instant, telling: &decided)
        let left = state.leave(place, at: instant, telling: &decided)
        let index_ = model.waiters.firstIndex { $0.name == name }
        #expect((left != nil) == (index_ != nil))
        if let index_ { model.waiters.remove(at: index_) }
      case 7:
        state.review(at: instant, telling: &decided)
        #expect(state.tryAcquire(at: instant) == model.tryAcquire())
        state.review(at: instant, telling: &decided)
        model.settle()
      default:
        let count = Int.random(in: 1...5, using: &random)
        state.review(at: instant, telling: &decided)
        state.reconfigure(count)
        state.review(at: instant, telling: &decided)
        model.count = count
        model.settle()
      }
      collect()
    }

    mutating func collect() {
      for decided in decided.takeAll() { note(decided.request, decided.outcome) }
    }
  }

  @Test(
    "grants, refuses and lets go like a list of waiters that is searched from the front",
    arguments: Soak.seeds(200))
  func agrees(seed: UInt64) {
    compare(seed, isLimited: false)
  }

  @Test(
    "takes a permit and one of each limit at the first instant that has both, or nothing",
    arguments: Soak.seeds(400))
  func agreesLimited(seed: UInt64) {
    compare(seed, isLimited: true)
  }

  private func compare(_ seed: UInt64, isLimited: Bool) {
    var random = SplitMix64(seed: seed)
    var pair = Pair(isLimited: isLimited, using: &random)
    var now = 0
    for name in 0..<80 {
      now += [0, 0, 1, 2, 5].randomElement(using: &random)!
      pair.act(name, at: now, using: &random)
      // What was due before is decided in the same order, however late.
      pair.state.review(at: Pair.at(now), telling: &pair.decided)
      pair.collect()
      #expect(pair.told.sorted() == pair.model.told.sorted(), "seed \(seed), call \(name)")
      #expect(pair.told.filter(isGrant) == pair.model.told.filter(isGrant), "seed \(seed)")
      #expect(pair.state.held == pair.model.held, "seed \(seed), call \(name)")
      #expect(pair.state.waitingCount == pair.model.waiters.count, "seed \(seed), call \(name)")
      #expect(
        pair.state.deadline == pair.model.nextDue.map(Pair.at) ?? .distantFuture,
        "seed \(seed), call \(name)")
      // Conservation: each grant is held or was given back.
      #expect(pair.state.statistics.granted == pair.state.held + pair.returned)
      guard pair.state.held == pair.model.held, pair.told.count == pair.model.told.count else {
        return
      }
    }
  }

  private func isGrant(_ told: String) -> Bool { told.contains("granted") }
}
