import Pacing
import PacingTesting
import TestSupport
import Testing

/// A poller after its first poll, waiting for the next one or polling; a poll takes a second.
///
/// An outcome is the number of results handled meanwhile, a c for each cancellation that reports
/// ending something, and a p if it still polls.
private final class Patrol: Sendable {
  private let clock = ManualClock()
  private let poller = Slot<Poller<Void>>()
  private let handled = Counter()
  private let cancellations = Counter()
  private let released = Counter()

  init(isPolling: Bool) {
    let burden = Burden("captured") { [released] in released.add() }
    poller.put(
      Poller.scheduled(PollSchedule(every: .seconds(5)), clock: clock) { [clock] in
        try await clock.sleep(for: .seconds(1))
      } handler: { [handled] _ in
        withExtendedLifetime(burden) { _ = handled.add() }
      })
    clock.advance(by: .seconds(isPolling ? 5 : 4))
    #expect(handled.value == 1)
  }

  func perform(_ call: PollerPairRaceTests.Call) {
    switch call {
    case .cancel: if poller.value?.cancel() == true { cancellations.add() }
    case .drop: poller.put(nil)
    case .due: clock.advance(by: .seconds(3))
    }
  }

  func outcome() -> String {
    clock.runReady()
    let count = handled.value
    let isPolling = poller.value?.isPolling ?? false
    clock.advance(by: .seconds(60))
    #expect((handled.value > count) == isPolling)
    poller.put(nil)
    clock.runReady()
    #expect(clock.pendingCount == 0 && released.value == 1)
    let cancelled = String(repeating: "c", count: cancellations.value)
    return "\(count - 1)\(cancelled)\(isPolling ? "p" : "")"
  }
}

@Suite("Pollers: every two calls that can meet", .alone)
struct PollerPairRaceTests {
  enum Call: CaseIterable, Comparable { case cancel, drop, due }

  typealias Pair = CallPair<Call>

  /// Of two cancellations one ends the poller, and no result is handled after either.
  static let pairs = [
    Pair(.cancel, .cancel, ["0c"]),
    Pair(.cancel, .drop, ["0c", "0"]),
    Pair(.cancel, .due, ["0c", "1c"]),
    Pair(.drop, .drop, ["0"]),
    Pair(.drop, .due, ["0", "1"]),
    Pair(.due, .due, ["0p", "1p", "2p"]),
  ]

  @Test("the table names every pair")
  func table() {
    #expect(Call.pairs(leftOutOf: Self.pairs.map { ($0.first, $0.second) }) == [])
  }

  @Test(
    "nothing is handled after a cancel or a drop, and the pair has the outcomes of the table",
    arguments: pairs, [false, true])
  func meet(pair: Pair, isPolling: Bool) {
    let meeting = Meeting()
    for round in Soak.seeds(60) {
      let patrol = Patrol(isPolling: isPolling)
      _ = meeting.of({ patrol.perform(pair.first) }, { patrol.perform(pair.second) })
      let outcome = patrol.outcome()
      #expect(pair.outcomes.contains(outcome), "round \(round): \(outcome)")
    }
  }

  @Test("in real time each poll but the one that a cancel meets is handled, and all is released")
  func cancelled() async {
    let meeting = Meeting()
    for round in Soak.seeds(200) {
      let (polls, handled) = (Counter(), Counter())
      let released = CountDown(1)
      let poller = Slot<Poller<Void>>()
      do {
        let burden = Burden("captured") { released.arrive() }
        poller.put(
          Poller.scheduled(PollSchedule(every: .microseconds(5))) {
            polls.add()
          } handler: { _ in
            withExtendedLifetime(burden) { _ = handled.add() }
          })
      }
      let (wasPolling, _) = meeting.of({ [own = poller.value!] in own.cancel() }) {
        if round.isMultiple(of: 2) { _ = poller.value?.isPolling } else { poller.put(nil) }
      }
      #expect(wasPolling && poller.value?.isPolling != true, "round \(round)")
      poller.put(nil)
      await released.wait()
      #expect((polls.value - 1...polls.value).contains(handled.value), "round \(round)")
    }
  }

  /// A limit that counts the requests after the end of the polling, but for cancelled tasks.
  private struct Watched: AwaitableLimit {
    let hasEnded = Counter()
    let late = Counter()

    func acquire(_ cost: Int, within timeout: Duration?) async throws {
      if hasEnded.value > 0, !Task.isCancelled { late.add() }
    }
  }

  @Test("a poll that begins while its polling ends asks its limit before, or is cancelled")
  func endsBeforeItsLimit() async {
    for round in Soak.seeds(4000) {
      let limit = Watched()
      let poller = Poller(PollSchedule(every: .microseconds(5)).limited(by: limit)) {}
      poller.start()
      for _ in 0..<round % 400 { _ = ContinuousClock.now }
      poller.cancel()
      limit.hasEnded.add()
      await poller.cancelAndWait()
      #expect(limit.late.value == 0, "round \(round)")
    }
  }

  @Test(
    "its verbs from several threads: one poll at a time, each handled unless the end interrupts it")
  func verbs() async {
    for _ in Soak.seeds(20) {
      let (running, overlaps, polls, handled) = (Counter(), Counter(), Counter(), Counter())
      let poller = Poller(PollSchedule(every: .microseconds(200))) {
        if running.add() > 1 { overlaps.add() }
        polls.add()
        running.add(-1)
      }.handle { _ in handled.add() }
      await withTaskGroup(of: Void.self) { group in
        for thread in 0..<4 {
          group.addTask {
            for round in 0..<100 {
              switch (thread + round) % 6 {
              case 0: poller.start()
              case 1: poller.suspend()
              case 2: poller.resume(pollingNow: round.isMultiple(of: 2))
              case 3: poller.reschedule(every: .microseconds(100 + round))
              case 4: _ = poller.nextDeadline
              default: poller.pollNow()
              }
            }
          }
        }
      }
      await poller.cancelAndWait()
      #expect(overlaps.value == 0 && poller.end == .cancelled)
      #expect((0...1).contains(polls.value - handled.value), "the end interrupts one")
      let last = polls.value
      poller.pollNow()
      #expect(!poller.start() && polls.value == last)
    }
  }
}
