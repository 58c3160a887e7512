import Pacing
import TestSupport
import Testing

@Suite("ConcurrencyState: laws")
struct ConcurrencyLawTests {
  /// The limit as a list of waiters, searched from the front.
  struct Model {
    struct Waiter {
      let name: Int
      let deadline: Int
    }

    let policy: (maximum: Int, isNewestFirst: Bool, dropsOldest: Bool)
    var limit: Int
    var held = 0
    var waiters = [Waiter]()
    var isClosed = false
    var told = [String]()

    mutating func settle(at now: Int) {
      for waiter in waiters where waiter.deadline <= now { told.append("\(waiter.name) deadline") }
      waiters.removeAll { $0.deadline <= now }
      while held < limit, !waiters.isEmpty {
        held += 1
        told.append("\(waiters.removeFirst().name) granted")
      }
    }

    mutating func enter(_ name: Int, within timeout: Int?, at now: Int) {
      guard !isClosed else { return told.append("\(name) closed") }
      if held < limit {
        held += 1
        return told.append("\(name) granted")
      }
      if timeout == 0 { return told.append("\(name) deadline") }
      if waiters.count >= policy.maximum {
        guard policy.dropsOldest, !waiters.isEmpty else {
          return told.append("\(name) queue is full")
        }
        let oldest = policy.isNewestFirst ? waiters.removeLast() : waiters.removeFirst()
        told.append("\(oldest.name) queue is full")
      }
      let waiter = Waiter(name: name, deadline: timeout.map { now + $0 } ?? .max)
      waiters.insert(waiter, at: policy.isNewestFirst ? 0 : waiters.count)
    }
  }

  /// The state beside the model.
  struct Pair {
    var state: ConcurrencyState<Int>
    var model: Model
    var decided = DecidedRequests<Int>()
    var told = [String]()
    var places = [(name: Int, place: WaiterQueue<Int>.Place)]()
    var returned = 0

    init(using random: inout SplitMix64) {
      let count = Int.random(in: 1...4, using: &random)
      let maximum = Int.random(in: 0...6, using: &random)
      let (isNewestFirst, dropsOldest) = (
        Bool.random(using: &random), Bool.random(using: &random)
      )
      state = ConcurrencyState(
        count,
        queue: QueuePolicy(
          maximumWaiters: maximum, order: isNewestFirst ? .newestFirst : .oldestFirst,
          whenFull: dropsOldest ? .dropOldest : .refuseNewest),
        at: Self.at(0))
      model = Model(policy: (maximum, isNewestFirst, dropsOldest), limit: count)
    }

    static func at(_ nanosecond: Int) -> PacingInstant {
      PacingInstant(nanoseconds: Nanoseconds(nanosecond))
    }

    mutating func note(_ name: Int, _ outcome: Turn.Outcome) {
      switch outcome {
      case .granted: told.append("\(name) granted")
      case .refused(let error): told.append("\(name) \(error.reason)")
      case .withdrawn, .ended: told.append("\(name) \(outcome)")
      }
    }

    mutating func act(_ name: Int, at now: Int, using random: inout SplitMix64) {
      let instant = Self.at(now)
      model.settle(at: now)
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
        model.enter(name, within: timeout, at: now)
      case 4, 5:
        state.serve(at: instant, before: nil, telling: &decided)
        guard state.held > 0 else { return }
        state.release()
        returned += 1
        state.review(at: instant, telling: &decided)
        model.held -= 1
        model.settle(at: now)
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
        state.serve(at: instant, before: nil, telling: &decided)
        let isAllowed = state.tryAcquire()
        #expect(isAllowed == (model.waiters.isEmpty && model.held < model.limit))
        if isAllowed { model.held += 1 }
      default:
        let count = Int.random(in: 1...5, using: &random)
        state.serve(at: instant, before: nil, telling: &decided)
        state.reconfigure(count)
        state.review(at: instant, telling: &decided)
        model.limit = count
        model.settle(at: now)
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
    var random = SplitMix64(seed: seed)
    var pair = Pair(using: &random)
    var now = 0
    for name in 0..<80 {
      now += [0, 0, 1, 2, 5].randomElement(using: &random)!
      pair.act(name, at: now, using: &random)
      #expect(pair.told.sorted() == pair.model.told.sorted(), "seed \(seed), call \(name)")
      #expect(pair.told.filter(isGrant) == pair.model.told.filter(isGrant), "seed \(seed)")
      #expect(pair.state.held == pair.model.held, "seed \(seed), call \(name)")
      #expect(pair.state.waitingCount == pair.model.waiters.count, "seed \(seed), call \(name)")
      let deadline = pair.model.waiters.map(\.deadline).min() ?? .max
      #expect(pair.state.deadline == Pair.at(deadline), "seed \(seed), call \(name)")
      // Conservation: each grant is held or was given back.
      #expect(pair.state.statistics.granted == pair.state.held + pair.returned)
      guard pair.state.held == pair.model.held else { return }
    }
  }

  private func isGrant(_ told: String) -> Bool { told.hasSuffix("granted") }
}
