import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Calls: answers for everyone, and races", .alone)
struct SharedAnswerRaceTests {
  @Test("each caller has one answer, and runs are shared, whatever calls and leaves come meanwhile")
  func crowd() async {
    for round in Soak.seeds(40) {
      let runs = Counter()
      let tool = AsyncDebouncer<Int, Int>(for: .microseconds(100), answering: .everyone) { input in
        runs.add()
        return input
      }
      let executed = Counter()
      await withTaskGroup { group in
        for index in 0..<50 {
          group.addTask {
            let caller = Task { try await tool.call(index) }
            if index % 3 == 0 { caller.cancel() }
            guard let outcome = try? await caller.value else {
              Issue.record("round \(round): an error")
              return
            }
            if outcome.kind == .executed { executed.add() }
            let isRight =
              outcome.kind == .executed || outcome.kind == .shared
              || outcome.kind == .cancelled && index % 3 == 0
            #expect(isRight, "round \(round), caller \(index): \(outcome)")
          }
        }
      }
      // The caller of a run may have left it to the others.
      #expect(executed.value <= runs.value, "round \(round)")
      #expect(!tool.isPending, "round \(round)")
    }
  }
}
