import Pacing
import PacingTesting
import TestSupport
import Testing

/// A call that races another event on the tool.
@Suite("Calls: a call that begins, and what it can meet", .alone)
struct CallPairRaceTests {
  private struct Failure: Error {}

  private enum Event: CaseIterable { case call, flush, cancel, finish, drop }

  private func fate(of outcome: Result<CallOutcome<Int>, any Error>) -> String {
    switch outcome {
    case .success(let outcome): outcome.value == nil ? "\(outcome)" : "executed"
    case .failure: "failed"
    }
  }

  @Test("each call has one answer, and one that the event allows")
  func events() async {
    let meeting = Meeting()
    for event in Event.allCases {
      let expected: Set<String> =
        switch event {
        case .call: ["executed", "superseded"]
        case .flush: ["executed"]
        case .cancel: ["executed", "cancelled"]
        // A pending call is delivered; a later call is not accepted.
        case .finish: ["executed", "cancelled"]
        // A call keeps the tool alive.
        case .drop: ["executed"]
        }
      for round in Soak.seeds(60) {
        let runs = Counter()
        let tool = Slot(
          AsyncDebouncer<Int, Int>(for: .microseconds(50)) { input in
            runs.add()
            return input
          })
        let other = Slot<Task<String, Never>>()
        let (outcome, _) = await meeting.of({ [own = tool.value!] in
          await Result { try await own.call(1) }
        }) {
          switch event {
          case .call:
            let tool = tool.value!
            other.put(Task { fate(of: await Result { try await tool.call(2) }) })
          case .flush: _ = tool.value?.flush()
          case .cancel: _ = tool.value?.cancel()
          case .finish: tool.value?.finish()
          case .drop: tool.put(nil)
          }
        }
        let fates = [fate(of: outcome), await other.value?.value].compactMap(\.self)
        #expect(expected.isSuperset(of: fates), "\(event), round \(round): \(fates)")
        let executed = fates.filter { $0 == "executed" }.count
        #expect(runs.value == executed, "\(event), round \(round): \(fates)")
      }
    }
  }

  @Test("a call whose task is cancelled while it begins ends at once, however long the wait")
  func cancelledTasks() async {
    let meeting = Meeting()
    let runs = Counter()
    let tool = AsyncDebouncer<Int, Int>(for: .seconds(3600)) { input in runs.add() }
    for round in Soak.seeds(10_000) {
      let outcome = await canceller { cancel in
        await meeting.of({ await Result { try await tool.call(1) } }, cancel).0
      }
      #expect(fate(of: outcome) == "cancelled", "round \(round)")
    }
    #expect(!tool.isPending && runs.value == 0)
  }

  @Test("a call whose task is cancelled while a newer one takes its place waits for no other run")
  func displaced() async throws {
    let meeting = Meeting()
    for round in Soak.seeds(3000) {
      let clock = ManualClock()
      let tool = AsyncDebouncer<Int, Int>(for: .seconds(1), clock: clock) { $0 }
      let older = Task.eager { try await tool.call(1) }
      let (newer, _) = meeting.of({ Task.eager { try await tool.call(2) } }) {
        older.cancel()
      }
      let outcome = try await older.value
      #expect([.cancelled, .superseded].contains(outcome), "round \(round)")
      clock.advance(by: .seconds(1))
      #expect(try await newer.value == .executed(2), "round \(round)")
    }
  }

  private enum Call: CaseIterable, Comparable { case flush, cancel, finish, due, leave }

  @Test("a call that waits has one answer, whichever two other calls meet")
  func pairs() async {
    let meeting = Meeting()
    for first in Call.allCases {
      for second in Call.allCases where first <= second {
        // Withdrawn, run, or decided by the first event.
        let withdrawing = [first, second].count { $0 == .cancel || $0 == .leave }
        let expected: Set =
          withdrawing == 0
          ? ["executed"] : withdrawing == 2 ? ["cancelled"] : ["executed", "cancelled"]
        for round in Soak.seeds(30) {
          let clock = ManualClock()
          let runs = Counter()
          let tool = AsyncDebouncer<Int, Int>(for: .seconds(1), clock: clock) { runs.add($0) }
          let caller = clock.run { fate(of: await Result { try await tool.call(1) }) }
          #expect(tool.isPending)
          let perform: @Sendable (Call) -> Void = { call in
            switch call {
            case .flush: tool.flush()
            case .cancel: tool.cancel()
            case .finish: tool.finish()
            case .due: clock.advance(by: .seconds(1))
            case .leave: caller.cancel()
            }
          }
          _ = meeting.of({ perform(first) }, { perform(second) })
          await tool.flushAndWait()
          clock.runReady()
          let outcome = await caller.value
          #expect(expected.contains(outcome), "\(first) and \(second), round \(round)")
          #expect(runs.value == (outcome == "executed" ? 1 : 0) && clock.pendingCount == 0)
        }
      }
    }
  }

  @Test("a running operation that ends while its caller leaves has one answer")
  func leaving() async {
    let meeting = Meeting()
    for round in Soak.seeds(200) {
      let tool = AsyncThrottler<Int, Int>(every: .microseconds(1)) { input in
        try Task.checkCancellation()
        if round.isMultiple(of: 3) { throw Failure() }
        return input
      }
      let outcome = await canceller { cancel in
        await meeting.of({ await Result { try await tool.call(1) } }, cancel).0
      }
      let expected: Set = [round.isMultiple(of: 3) ? "failed" : "executed", "cancelled"]
      #expect(expected.contains(fate(of: outcome)), "round \(round)")
      await tool.flushAndWait()
      #expect(!tool.isPending)
    }
  }
}
