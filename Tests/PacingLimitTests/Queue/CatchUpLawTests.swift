import Pacing
import TestSupport
import Testing

/// The grants of waiters while timers are late.
@Suite("Limits: grants count from the instants at which tokens came")
struct CatchUpLawTests {
  static func at(_ instant: Int) -> PacingInstant {
    PacingInstant(nanoseconds: Nanoseconds(instant))
  }

  enum Action {
    case wake
    case join(cost: Int, within: Int?)
    case withdraw(Int)
    case tryAcquire(Int)
    case penalize(Int)
    case add(Int)
    case reset
    case pause(Int)
    case resume
    case reserve(Int)
    case cancel(Int)
  }

  struct Step {
    let at: Int
    let action: Action
  }

  struct Settings {
    let period: Int
    let burst: Int
    let initial: Int

    init(using random: inout SplitMix64) {
      period = Int.random(in: 1...9, using: &random)
      burst = Int.random(in: 1...4, using: &random)
      initial = Int.random(in: 0...burst, using: &random)
    }

    /// A random sequence of timed actions; `mints` allows those that give tokens away.
    func trace(_ count: Int, mints: Bool, using random: inout SplitMix64) -> [Step] {
      var now = 0
      return (0..<count).map { _ in
        now += [0, 0, 1, 2, 5, 14].randomElement(using: &random)!
        let cost = Int.random(in: 1...burst, using: &random)
        let action: Action =
          switch Int.random(in: 0..<19, using: &random) {
          case 0: .wake
          case 1...6:
            .join(cost: cost, within: [nil, nil, 3, 11, 30].randomElement(using: &random)!)
          case 7, 8: .withdraw(Int.random(in: 0..<6, using: &random))
          case 9: .tryAcquire(cost)
          case 10: .pause(Int.random(in: 0...20, using: &random))
          case 11: .resume
          case 12: .penalize(mints ? cost : 0)
          case 13 where mints: .add(cost)
          case 14 where mints: .reset
          case 15, 16: .reserve(cost)
          case 17 where mints: .cancel(Int.random(in: 0..<6, using: &random))
          default: .wake
          }
        return Step(at: now, action: action)
      }
    }
  }

  /// A bucket and the answers of its waiters.
  struct Player {
    var bucket: BucketState<Int>
    let settings: Settings
    private(set) var grants = [CatchUpModel.Grant]()
    private(set) var refused = [Int]()
    private(set) var tries = [(at: Int, cost: Int)]()
    /// The reservations in force, and the instants of all.
    private(set) var reserved = [(name: Int, cost: Int, held: BucketState<Int>.Reserved)]()
    private(set) var dues = [Int]()
    private(set) var now = 0
    private var places = [(name: Int, cost: Int, place: BucketState<Int>.Place)]()
    private var count = 0

    init(_ settings: Settings, catchUp: Int) {
      self.settings = settings
      bucket = BucketState(
        rate: Rate(1, per: .nanoseconds(settings.period)), burst: settings.burst,
        initial: settings.initial, queue: QueuePolicy(catchUp: .nanoseconds(catchUp)),
        at: CatchUpLawTests.at(0))
    }

    var waiting: [Int] { places.map(\.name) }

    private mutating func serve(before leaver: BucketState<Int>.Place? = nil) {
      while let name = bucket.grantNext(at: CatchUpLawTests.at(now), before: leaver) {
        note(name, counts: Int(bucket.countedFrom.nanoseconds))
      }
    }

    private mutating func note(_ name: Int, counts: Int) {
      let index = places.firstIndex { $0.name == name }!
      let cost = places.remove(at: index).cost
      grants.append(.init(name: name, cost: cost, told: now, counts: counts))
    }

    mutating func review() {
      serve()
      for (name, _) in bucket.refuseHopeless(at: CatchUpLawTests.at(now)) {
        refused.append(name)
        places.removeAll { $0.name == name }
      }
      serve()
    }

    /// Advances time; with `lateness` every timer runs that late, except after a call.
    mutating func move(to instant: Int, lateness: Int?) {
      if let lateness {
        while Int(bucket.deadline.nanoseconds) < .max,
          Int(bucket.deadline.nanoseconds) + lateness <= instant
        {
          now = max(now, Int(bucket.deadline.nanoseconds) + lateness)
          review()
        }
      }
      now = instant
    }

    mutating func play(_ action: Action) {
      let instant = CatchUpLawTests.at(now)
      switch action {
      case .wake: break
      case .join(let cost, let timeout):
        review()
        let within = timeout.map(Nanoseconds.init)
        count += 1
        switch bucket.admit(cost, within: within, at: instant) {
        case .granted:
          grants.append(.init(name: count, cost: cost, told: now, counts: now))
        case .refused: refused.append(count)
        case .mustWait:
          places.append((count, cost, bucket.join(cost, as: count, within: within)))
        }
      case .withdraw(let number) where !places.isEmpty:
        let leaver = places[number % places.count]
        serve(before: leaver.place)
        if bucket.withdraw(leaver.place) != nil { places.removeAll { $0.name == leaver.name } }
      case .withdraw: break
      case .tryAcquire(let cost):
        review()
        if bucket.tryAcquire(cost, at: instant) { tries.append((now, cost)) }
      case .penalize(let cost):
        review()
        bucket.penalize(cost, at: instant)
      case .add(let tokens):
        review()
        bucket.add(tokens, at: instant)
      case .reset:
        review()
        bucket.reset(at: instant)
      case .pause(let length):
        review()
        bucket.pause(until: CatchUpLawTests.at(now + length), at: instant)
      case .resume:
        review()
        bucket.resume(at: instant)
      case .reserve(let cost):
        review()
        guard case .success(let held) = bucket.reserve(cost, at: instant) else {
          Issue.record("a reservation without a deadline is refused")
          return
        }
        dues.append(Int(held.due.nanoseconds))
        reserved.append((dues.count, cost, held))
      case .cancel(let number) where !reserved.isEmpty:
        review()
        let (_, cost, held) = reserved.remove(at: number % reserved.count)
        _ = bucket.cancel(held, cost: cost, at: instant)
      case .cancel: break
      }
      review()
    }
  }

  @Test(
    "as the oracle has it, through joins, withdrawals, deadlines, pauses, changes and reservations",
    arguments: Soak.seeds(150))
  func oracle(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let settings = Settings(using: &random)
    let catchUp = [0, 3, 10].randomElement(using: &random)!
    let steps = settings.trace(60, mints: true, using: &random)
    var player = Player(settings, catchUp: catchUp)
    var model = CatchUpModel(
      period: settings.period, burst: settings.burst, initial: settings.initial, catchUp: catchUp)
    var count = 0
    for step in steps {
      player.move(to: step.at, lateness: nil)
      model.lapse(to: step.at)
      let waiting = player.waiting
      let reserved = player.reserved.map(\.name)
      player.play(step.action)
      switch step.action {
      case .wake: model.review()
      case .join(let cost, let timeout):
        count += 1
        model.join(count, cost: cost, within: timeout)
      case .withdraw(let number):
        if waiting.isEmpty {
          model.review()
        } else {
          model.withdraw(waiting[number % waiting.count])
        }
      case .tryAcquire(let cost): _ = model.tryAcquire(cost)
      case .penalize(let cost): model.penalize(cost)
      case .add(let tokens): model.add(tokens)
      case .reset: model.reset()
      case .pause(let length): model.pause(until: step.at + length)
      case .resume: model.resume()
      case .reserve(let cost):
        let due = model.reserve(player.dues.count, cost: cost)
        #expect(player.dues.last == due, "seed \(seed), catchUp \(catchUp), \(settings), \(step)")
      case .cancel(let number):
        if reserved.isEmpty {
          model.review()
        } else {
          _ = model.cancel(reserved[number % reserved.count])
        }
      }
      #expect(
        player.grants == model.grants && player.refused.sorted() == model.refused.sorted()
          && player.waiting == model.queue.map(\.name),
        "seed \(seed), catchUp \(catchUp), \(settings), \(step)")
      guard player.grants == model.grants, player.waiting == model.queue.map(\.name) else { return }
    }
  }

  @Test(
    "within the burst and the rate, on counted and on real instants", arguments: Soak.seeds(100))
  func bounds(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let settings = Settings(using: &random)
    let catchUp = [0, 3, 10].randomElement(using: &random)!
    var player = Player(settings, catchUp: catchUp)
    for step in settings.trace(120, mints: false, using: &random) {
      let isLate = Bool.random(using: &random)
      player.move(to: step.at, lateness: isLate ? nil : 0)
      player.play(step.action)
    }
    let tries = player.tries.map { (at: $0.at, cost: $0.cost) }
    let reserved = player.reserved.map { (at: Int($0.held.due.nanoseconds), cost: $0.cost) }
    let strict = tries + reserved
    let counted = player.grants.map { (at: $0.counts, cost: $0.cost) } + strict
    let real = player.grants.map { (at: $0.told, cost: $0.cost) } + strict
    #expect(Self.excess(counted, settings, slack: 0) <= 0, "seed \(seed), counted")
    #expect(Self.excess(real, settings, slack: catchUp) <= 0, "seed \(seed), real")
    #expect(Self.excess(strict, settings, slack: 0) <= 0, "seed \(seed), strict")
  }

  /// The maximum excess of any interval over the limit, in parts of a token.
  private static func excess(
    _ spends: [(at: Int, cost: Int)], _ settings: Settings, slack: Int
  ) -> Int {
    let spends = spends.sorted { $0.at < $1.at }
    var worst = Int.min
    for first in spends.indices {
      var sum = 0
      for last in spends.indices[first...] {
        sum += spends[last].cost
        let length = spends[last].at - spends[first].at + slack
        worst = max(worst, sum * settings.period - settings.burst * settings.period - length)
      }
    }
    return worst
  }

  @Test("as without lateness, as long as no timer is later than that", arguments: Soak.seeds(100))
  func lateness(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let settings = Settings(using: &random)
    let catchUp = 10
    let steps = settings.trace(80, mints: true, using: &random)
    var punctual = Player(settings, catchUp: 0)
    var lenient = Player(settings, catchUp: catchUp)
    var late = Player(settings, catchUp: catchUp)
    // Calls also discover what is due, so the trace has no withdrawals, which win over a late
    // grant.
    for step in steps {
      if case .withdraw = step.action { continue }
      punctual.move(to: step.at, lateness: 0)
      lenient.move(to: step.at, lateness: 0)
      late.move(to: step.at, lateness: Int.random(in: 0...catchUp, using: &random))
      for action in [step.action] {
        punctual.play(action)
        lenient.play(action)
        late.play(action)
      }
    }
    for index in [punctual, lenient, late].indices {
      var player = [punctual, lenient, late][index]
      player.move(to: player.now + 10_000, lateness: index == 2 ? catchUp : 0)
      player.review()
      switch index {
      case 0: punctual = player
      case 1: lenient = player
      default: late = player
      }
    }
    #expect(lenient.grants == punctual.grants, "seed \(seed): on time")
    #expect(late.grants.map(\.name) == punctual.grants.map(\.name), "seed \(seed): late")
    #expect(late.grants.map(\.counts) == punctual.grants.map(\.counts), "seed \(seed): late")
    #expect(late.refused.sorted() == punctual.refused.sorted(), "seed \(seed): refused")
    #expect(lenient.dues == punctual.dues && late.dues == punctual.dues, "seed \(seed): reserved")
  }
}
