import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("RetryBudget")
struct RetryBudgetTests {
  let clock = ManualClock()

  @Test("a share allows so many retries for each operation, and a floor beside it")
  func share() {
    let budget = RetryBudget(share: 0.2, atLeast: .perSecond(1), clock: clock)
    #expect(budget.available == 10, "the floor of a window of ten seconds")
    for _ in 0..<100 { budget.began() }
    #expect(budget.available == 30)
    for _ in 0..<29 { #expect(budget.take(nil)?.units == 1) }
    let last = budget.take(nil)
    #expect(budget.take(nil) == nil)
    #expect(budget.refusedCount == 1)
    last.map(budget.giveBack)
    #expect(budget.take(nil) != nil)
  }

  @Test("the window slides: what is older than it counts no more")
  func window() {
    let budget = RetryBudget(
      share: 0.5, atLeast: .perHour(1), window: .seconds(10), clock: clock)
    for _ in 0..<10 { budget.began() }
    clock.advance(by: .seconds(9))
    #expect(budget.available == 5)
    for _ in 0..<5 { #expect(budget.take(nil) != nil) }
    clock.advance(by: .seconds(1))
    #expect(budget.take(nil) == nil, "the retries count longer than the operations")
    #expect(budget.available == 0)
    clock.advance(by: .seconds(9))
    #expect(budget.available == 0)
    for _ in 0..<2 { budget.began() }
    #expect(budget.available == 1)
    clock.advance(by: .seconds(1000))
    #expect(budget.available == 0)
  }

  /// A naive window: every event with its step.
  private struct NaiveShare {
    let share: Double
    let reserve: Double
    let step: Nanoseconds
    var events = [(step: Nanoseconds, amount: Double)]()

    func balance(at now: PacingInstant) -> Double {
      let current = now.nanoseconds / step
      return events.filter { $0.step > current - 10 }.reduce(reserve) { $0 + $1.amount }
    }

    mutating func add(_ amount: Double, at now: PacingInstant) {
      events.append((now.nanoseconds / step, amount))
    }
  }

  @Test("random traffic is what a list of all events says", arguments: Soak.seeds(20))
  func law(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let share = Double(Int.random(in: 0...8, using: &random)) / 4
    let budget = RetryBudget(
      share: share, atLeast: .perSecond(2), window: .seconds(1), clock: clock)
    var naive = NaiveShare(share: share, reserve: 2, step: 100_000_000)
    for _ in 0..<500 {
      clock.advance(by: .milliseconds(Int.random(in: 0...60, using: &random)))
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        budget.began()
        naive.add(share, at: clock.now)
      default:
        let isAllowed = naive.balance(at: clock.now) >= 1
        #expect((budget.take(nil) != nil) == isAllowed, "seed \(seed) at \(clock.now)")
        if isAllowed { naive.add(-1, at: clock.now) }
      }
    }
  }

  @Test("an unlimited floor allows every retry")
  func unlimitedFloor() {
    let budget = RetryBudget(share: 0.2, atLeast: .unlimited, clock: clock)
    for _ in 0..<1000 { #expect(budget.take(nil) != nil) }
    #expect(budget.available > 1_000_000)
  }

  @Test("what is given back after its taking has left the window mints nothing")
  func lateReturn() async {
    let budget = RetryBudget(
      share: 0, atLeast: .perSecond(10), window: .seconds(10), clock: clock)
    let policy = RetryPolicy(backoff: .constant(.seconds(60))).sharing(budget)
    let tasks = (0..<50).map { _ in
      Task { [clock] in
        try await retry(policy, clock: clock) { _ in throw RetryScene.Flaky() }
      }
    }
    await clock.sleepers(atLeast: 50)
    #expect(budget.available == 50)
    clock.advance(by: .seconds(20))
    #expect(budget.available == 100)
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
    #expect(budget.available == 100)
  }

  @Test("a quota is taken by retries and given back by successes, up to its capacity")
  func quota() {
    let budget = RetryBudget.quota(14, cost: 5)
    #expect(budget.take(nil)?.units == 5)
    #expect(budget.take(9)?.units == 9)
    #expect(budget.available == 0)
    #expect(budget.take(nil) == nil)
    #expect(budget.take(0)?.units == 0)
    budget.succeeded(after: RetryLoan(units: 9))
    #expect(budget.available == 9)
    budget.succeeded(after: nil)
    #expect(budget.available == 10, "a success at the first attempt gives back one")
    for _ in 0..<10 { budget.succeeded(after: nil) }
    #expect(budget.available == 14)
  }

  @Test("many who take at the same time never get more than there is")
  func atomic() async {
    let budget = RetryBudget.quota(1000, cost: 3)
    let taken = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 where budget.take(nil) != nil { taken.add() }
        }
      }
    }
    #expect(taken.value == 333)
    #expect(budget.available == 1)
    #expect(budget.refusedCount == 800 - 333)
  }

  @Test("refuses what is no share")
  func refuses() {
    for share in [-0.1, 1001, .nan, .infinity] {
      #expect(throws: ConfigurationError.self) { try RetryBudget(validating: share) }
    }
    #expect(throws: ConfigurationError.self) {
      try RetryBudget(validating: 0.1, window: .zero)
    }
    #expect(throws: Never.self) {
      _ = try RetryBudget(validating: 1000, window: .nanoseconds(1)).available
    }
  }
}
