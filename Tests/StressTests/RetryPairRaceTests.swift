import Pacing
import PacingTesting
import TestSupport
import Testing

/// The ends of a retry, of a time limit and of a retry timer, in pairs.
@Suite("Retrying: ends that meet", .alone)
struct RetryPairRaceTests {
  private struct Flaky: Error {}

  /// A wait that knows nothing of a deadline, and ends with its task.
  private func endlessWait() async throws {
    await OneShot<Void>().outcome(ifCancelled: ())
    try Task.checkCancellation()
  }

  @Test("a limit that passes while the operation begins cancels it, however short it is")
  func shortLimits() async {
    for round in Soak.seeds(3000) {
      let limit = Duration.nanoseconds(Int64(round % 500) * 100)
      await #expect(throws: TimeoutError.self) {
        try await withTimeout(limit) { try await endlessWait() }
      }
    }
  }

  @Test("a time limit and the cancellation of its task: the operation is cancelled, and ends")
  func limitAndCancel() async {
    let meeting = Meeting()
    for round in Soak.seeds(200) {
      let outcome = await canceller { cancel in
        await meeting.of(
          {
            await Result {
              try await withTimeout(.microseconds(30)) { try await endlessWait() }
            }
          }, cancel
        ).0
      }
      #expect("\(round)") {
        try outcome.get()
      } throws: { error in
        error is TimeoutError || error is CancellationError
      }
    }
  }

  @Test("a retry that waits is cancelled, or makes its attempt, and says so once")
  func retryAndCancel() async {
    let meeting = Meeting()
    for round in Soak.seeds(200) {
      let ends = EventRecorder<GiveUp.Reason>()
      let attempts = Counter()
      let policy = RetryPolicy(
        backoff: .constant(.microseconds(20)), maximumAttempts: 2,
        onGiveUp: { ends.record($0.reason) })
      let outcome = await canceller { cancel in
        await meeting.of(
          {
            await Result {
              try await retry(policy) { _ in
                attempts.add()
                throw Flaky()
              }
            }
          }, cancel
        ).0
      }
      #expect(throws: (any Error).self) { try outcome.get() }
      #expect(ends.values.count == 1, "round \(round)")
      #expect(attempts.value <= 2 && (attempts.value == 2 || ends.values == [.cancelled]))
    }
  }

  // MARK: The retry timer

  enum Call: CaseIterable, Comparable { case schedule, cancel, reset, drop, due }

  typealias Pair = CallPair<Call>

  /// An outcome is the number of attempts made, and a p if one is pending.
  static let pairs = [
    Pair(.schedule, .schedule, ["0p"]),
    Pair(.schedule, .cancel, ["0p", "0"]),
    Pair(.schedule, .reset, ["0p", "0"]),
    Pair(.schedule, .drop, ["0"]),
    Pair(.schedule, .due, ["1", "1p"]),
    Pair(.cancel, .cancel, ["0"]),
    Pair(.cancel, .reset, ["0"]),
    Pair(.cancel, .drop, ["0"]),
    Pair(.cancel, .due, ["0", "1"]),
    Pair(.reset, .reset, ["0"]),
    Pair(.reset, .drop, ["0"]),
    Pair(.reset, .due, ["0", "1"]),
    Pair(.drop, .drop, ["0"]),
    Pair(.drop, .due, ["0", "1"]),
    Pair(.due, .due, ["1"]),
  ]

  @Test("the table names every pair")
  func table() {
    #expect(Call.pairs(leftOutOf: Self.pairs.map { ($0.first, $0.second) }) == [])
  }

  @Test(
    "a retry timer whose attempt is pending has only the outcomes of the table", arguments: pairs)
  func retryTimer(pair: Pair) {
    let meeting = Meeting()
    for round in Soak.seeds(60) {
      let clock = ManualClock()
      let attempts = Counter()
      let timer = Slot(
        RetryTimer(backoff: .constant(.seconds(1)), clock: clock) { _ in attempts.add() })
      timer.value!.scheduleNext()
      let perform: @Sendable (Call) -> Void = { call in
        switch call {
        case .schedule: timer.value?.scheduleNext()
        case .cancel: timer.value?.cancel()
        case .reset: timer.value?.reset()
        case .drop: timer.put(nil)
        case .due: clock.advance(by: .seconds(1))
        }
      }
      _ = meeting.of({ perform(pair.first) }, { perform(pair.second) })
      // An attempt that a call found due while the other moved time starts here.
      clock.runReady()
      let outcome = "\(attempts.value)\(timer.value?.isPending == true ? "p" : "")"
      #expect(pair.outcomes.contains(outcome), "round \(round): \(outcome)")
      timer.put(nil)
      #expect(clock.pendingCount == 0)
    }
  }
}
