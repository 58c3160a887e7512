import Pacing
import PacingTesting
import TestSupport
import Testing

/// A timer that ticks every second, and at second one unless another event prevents it.
///
/// An outcome is the number of ticks, the state (r running, s suspended, f finished, x dropped),
/// and a plus if more ticks follow.
private final class Ticker: Sendable {
  private let clock = ManualClock()
  private let timer = Slot<DispatchTimer>()
  private let ticks = EventRecorder<Tick>()
  /// The number of `cancel` calls that reported withdrawing a tick.
  private let cancellations = Counter()

  init() {
    timer.put(
      .scheduled(every: .seconds(1), clock: clock) { [ticks] tick in ticks.record(tick) })
  }

  func perform(_ call: TimerPairRaceTests.Call) {
    if call == .due { return clock.advance(by: .seconds(1)) }
    guard let timer = timer.value else { return }
    switch call {
    case .start: timer.start()
    case .suspend: timer.suspend()
    case .resume: timer.resume()
    case .fire: timer.fireNow()
    case .reschedule: timer.reschedule(every: .seconds(2))
    case .reset: timer.reset()
    case .cancel: if timer.cancel() { cancellations.add() }
    case .drop: self.timer.put(nil)
    case .due: break
    }
  }

  func outcome() -> String {
    clock.advance(by: .zero)
    let count = ticks.values.count
    let state =
      switch timer.value?.state {
      case .running: "r"
      case .suspended: "s"
      case .finished: "f"
      case .idle: "i"
      case nil: "x"
      }
    #expect(cancellations.value <= 1)
    clock.advance(by: .seconds(10))
    let later = ticks.values.count > count ? "+" : ""
    timer.put(nil)
    #expect(clock.pendingCount == 0)
    let all = ticks.values
    #expect(all.allSatisfy { $0.actual >= $0.scheduled })
    #expect(zip(all, all.dropFirst()).allSatisfy { $1.index == $0.index + 1 + $1.missed })
    return "\(count)\(state)\(later)"
  }
}

@Suite("Timers: every two calls that can meet", .alone)
struct TimerPairRaceTests {
  enum Call: CaseIterable, Comparable {
    case start, suspend, resume, fire, reschedule, reset, cancel, drop, due
  }

  typealias Pair = CallPair<Call>

  /// Nothing starts after a cancel or a drop; two simultaneous requests leave one tick.
  static let pairs = [
    Pair(.start, .start, ["0r+"]),
    Pair(.start, .suspend, ["0r+", "0s"]),
    Pair(.start, .resume, ["0r+"]),
    Pair(.start, .fire, ["1r+"]),
    Pair(.start, .reschedule, ["0r+"]),
    Pair(.start, .reset, ["0r+"]),
    Pair(.start, .cancel, ["0f"]),
    Pair(.start, .drop, ["0x"]),
    Pair(.start, .due, ["1r+"]),
    Pair(.suspend, .suspend, ["0s"]),
    Pair(.suspend, .resume, ["0r+", "0s"]),
    Pair(.suspend, .fire, ["1s"]),
    Pair(.suspend, .reschedule, ["0s"]),
    Pair(.suspend, .reset, ["0s"]),
    Pair(.suspend, .cancel, ["0f"]),
    Pair(.suspend, .drop, ["0x"]),
    Pair(.suspend, .due, ["0s", "1s"]),
    Pair(.resume, .resume, ["0r+"]),
    Pair(.resume, .fire, ["1r+"]),
    Pair(.resume, .reschedule, ["0r+"]),
    Pair(.resume, .reset, ["0r+"]),
    Pair(.resume, .cancel, ["0f"]),
    Pair(.resume, .drop, ["0x"]),
    Pair(.resume, .due, ["1r+"]),
    Pair(.fire, .fire, ["1r+"]),
    Pair(.fire, .reschedule, ["1r+"]),
    Pair(.fire, .reset, ["0r+", "1r+"]),
    Pair(.fire, .cancel, ["0f"]),
    Pair(.fire, .drop, ["0x"]),
    Pair(.fire, .due, ["1r+", "2r+"]),
    Pair(.reschedule, .reschedule, ["0r+"]),
    Pair(.reschedule, .reset, ["0r+"]),
    Pair(.reschedule, .cancel, ["0f"]),
    Pair(.reschedule, .drop, ["0x"]),
    Pair(.reschedule, .due, ["0r+", "1r+"]),
    Pair(.reset, .reset, ["0r+"]),
    Pair(.reset, .cancel, ["0f"]),
    Pair(.reset, .drop, ["0x"]),
    Pair(.reset, .due, ["0r+", "1r+"]),
    Pair(.cancel, .cancel, ["0f"]),
    Pair(.cancel, .drop, ["0x"]),
    Pair(.cancel, .due, ["0f", "1f"]),
    Pair(.drop, .drop, ["0x"]),
    Pair(.drop, .due, ["0x", "1x"]),
    Pair(.due, .due, ["1r+", "2r+"]),
  ]

  @Test("the table names every pair")
  func table() {
    #expect(Call.pairs(leftOutOf: Self.pairs.map { ($0.first, $0.second) }) == [])
  }

  @Test(
    "ticks are numbered without a gap, and the pair has the outcomes of the table", arguments: pairs
  )
  func meet(pair: Pair) {
    let meeting = Meeting()
    for round in Soak.seeds(60) {
      let ticker = Ticker()
      _ = meeting.of({ ticker.perform(pair.first) }, { ticker.perform(pair.second) })
      let outcome = ticker.outcome()
      #expect(pair.outcomes.contains(outcome), "round \(round): \(outcome)")
    }
  }

  @Test("a timer that fires once, in real time, has fired or was cancelled in time")
  func once() async {
    let meeting = Meeting()
    let clock = DispatchClock()
    for round in Soak.seeds(300) {
      let fired = CountDown(1)
      let ticks = Counter()
      let deadline = clock.now.advanced(by: .microseconds(Int(round % 7) * 10))
      let timer = DispatchTimer.scheduled(.once(at: deadline)) { _ in
        ticks.add()
        fired.arrive()
      }
      let (isCancelled, _) = meeting.of({ timer.cancel() }, { _ = timer.isValid })
      if !isCancelled { await fired.wait() }
      await timer.cancelAndWait()
      #expect(ticks.value == (isCancelled ? 0 : 1), "round \(round)")
    }
  }
}
