import Pacing
import PacingTesting
import TestSupport
import Testing

/// A bucket of 39 tokens, a charge of six, and a caller that waits for 44 until its deadline in
/// four seconds, one before they have accrued.
///
/// An outcome is the fates and what is available at the end. Fates: g granted, w withdrawn, d
/// refused at the deadline, e because it exceeds the burst, c because the limit is closed, - still
/// waiting. The first is that of the waiting caller; those of later callers, for one token, follow.
private final class Account: Sendable {
  enum Kind: CaseIterable { case bucket, limiter }

  private let clock = ManualClock()
  private let start: PacingInstant
  private let limit: any LimitingTool
  private let change: @Sendable () -> Void
  private let charge = Slot<Charge>()
  private let handle = Slot<Acquisition>()
  private let waiter = EventRecorder<String>()
  private let others = EventRecorder<EventRecorder<String>>()

  init(_ kind: Kind) {
    start = clock.now
    switch kind {
    case .bucket:
      let bucket = TokenBucket(rate: .perSecond(1), burst: 100, initial: 46, clock: clock)
      limit = bucket
      change = { bucket.reconfigure(burst: 43) }
    case .limiter:
      let limiter = RateLimiter(
        .tokenBucket(rate: .perSecond(1), burst: 100, initial: 46), clock: clock)
      limit = limiter
      change = { limiter.reconfigure([.tokenBucket(rate: .perSecond(1), burst: 43)]) }
    }
    limit.acquire(6) { [charge] in charge.put(try? $0.get()) }
    clock.runReady()
    handle.put(join(44, within: .seconds(4), waiter))
    limit.penalize(1)
  }

  private func join(
    _ cost: Int, within timeout: Duration?, _ fate: EventRecorder<String>
  ) -> Acquisition {
    limit.acquire(Costs(cost), within: timeout) { result in
      switch result {
      case .success: fate.record("g")
      case .failure(let error):
        let letters: [AcquireError.Reason: String] = [
          .deadline: "d", .exceedsBurst: "e", .closed: "c",
        ]
        fate.record(letters[error.reason] ?? "?")
      }
    }
  }

  func perform(_ call: ChargePairRaceTests.Call) {
    switch call {
    case .settle: charge.value!.settle(1)
    case .refund: charge.value!.cancel()
    case .leave: if handle.value!.cancel() { waiter.record("w") }
    case .timeout: clock.advance(to: start + 4_000_000_000)
    case .acquire:
      let fate = EventRecorder<String>()
      others.record(fate)
      _ = join(1, within: nil, fate)
    case .reconfigure: change()
    case .close: limit.close()
    }
  }

  func outcome() -> String {
    clock.runReady()
    let fates = ([waiter] + others.values).map { fate in
      fate.values.isEmpty ? "-" : fate.values.joined()
    }
    let available = limit.available
    limit.close()
    #expect(clock.pendingCount == 0 && limit.waitingCount == 0)
    return "\(fates.joined()) \(available)"
  }
}

@Suite("Charges and waiters: every two calls that can meet", .alone)
struct ChargePairRaceTests {
  enum Call: CaseIterable, Comparable {
    case settle, refund, leave, timeout, acquire, reconfigure, close
  }

  typealias Pair = CallPair<Call>

  /// What is given back serves the waiter, or stays; no token is lost or doubled.
  static let pairs = [
    Pair(.settle, .settle, ["g 5"]),
    Pair(.settle, .refund, ["g 6"]),
    Pair(.settle, .leave, ["g 0", "w 44"]),
    Pair(.settle, .timeout, ["g 4", "d 48"]),
    Pair(.settle, .acquire, ["g- -1"]),
    Pair(.settle, .reconfigure, ["g 0", "e 43"]),
    Pair(.settle, .close, ["g 0", "c 44"]),
    Pair(.refund, .refund, ["g 7"]),
    Pair(.refund, .leave, ["g 1", "w 45"]),
    Pair(.refund, .timeout, ["g 5", "d 49"]),
    Pair(.refund, .acquire, ["gg 0"]),
    Pair(.refund, .reconfigure, ["g 1", "e 43"]),
    Pair(.refund, .close, ["g 1", "c 45"]),
    Pair(.leave, .leave, ["w 39"]),
    Pair(.leave, .timeout, ["w 43", "d 43"]),
    Pair(.leave, .acquire, ["wg 38"]),
    Pair(.leave, .reconfigure, ["w 39", "e 39"]),
    Pair(.leave, .close, ["w 39", "c 39"]),
    Pair(.timeout, .timeout, ["d 43"]),
    Pair(.timeout, .acquire, ["dg 42"]),
    Pair(.timeout, .reconfigure, ["d 43", "e 43"]),
    Pair(.timeout, .close, ["d 43", "c 43"]),
    Pair(.acquire, .acquire, ["--- -7"]),
    Pair(.acquire, .reconfigure, ["eg 38"]),
    Pair(.acquire, .close, ["cc 39"]),
    Pair(.reconfigure, .reconfigure, ["e 39"]),
    Pair(.reconfigure, .close, ["e 39", "c 39"]),
    Pair(.close, .close, ["c 39"]),
  ]

  @Test("the table names every pair")
  func table() {
    #expect(Call.pairs(leftOutOf: Self.pairs.map { ($0.first, $0.second) }) == [])
  }

  @Test("the waiter has one fate, and the balance is what it leaves", arguments: pairs)
  func meet(pair: Pair) {
    let meeting = Meeting()
    for kind in Account.Kind.allCases {
      for round in Soak.seeds(100) {
        let account = Account(kind)
        _ = meeting.of({ account.perform(pair.first) }, { account.perform(pair.second) })
        let outcome = account.outcome()
        #expect(pair.outcomes.contains(outcome), "\(kind), round \(round): \(outcome)")
      }
    }
  }
}
