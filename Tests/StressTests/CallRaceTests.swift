import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Calls and races", .alone)
struct CallRaceTests {
  private struct Failure: Error {}

  private enum Fate: Int, CaseIterable { case executed, superseded, cancelled, failed }

  @Test(
    "every caller is resumed once and has its own answer, and the counts say the same",
    arguments: [
      Overlap.keepLatest, .queue(2), .cancelPrevious, .dropNew, .concurrent(3),
    ])
  func everyCaller(overlap: Overlap) async {
    let running = Counter()
    let most = overlap == .concurrent(3) ? 3 : 1
    let tool = AsyncThrottler<Int, Int>(every: .microseconds(5), overlap: overlap) { input in
      #expect(running.add() <= most)
      defer { running.add(-1) }
      if input.isMultiple(of: 7) { throw Failure() }
      if input.isMultiple(of: 3) { await Task.yield() }
      try Task.checkCancellation()
      return input
    }
    let fates = (0..<Fate.allCases.count).map { _ in Counter() }
    let count = 5_000 * Soak.scale
    let workers = 50
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<workers {
        group.addTask {
          for index in 0..<count / workers {
            let input = index * workers + worker
            let caller = Task {
              do {
                let outcome = try await tool.call(input)
                switch outcome {
                case .executed(let value):
                  #expect(value == input)
                  return Fate.executed
                case .superseded: return .superseded
                case .cancelled: return .cancelled
                }
              } catch {
                return Fate.failed
              }
            }
            if input.isMultiple(of: 5) { caller.cancel() }
            if input.isMultiple(of: 101) { tool.cancel() }
            if input.isMultiple(of: 103) { tool.flush() }
            fates[await caller.value.rawValue].add()
          }
        }
      }
    }
    await tool.flushAndWait()
    let counts = tool.statistics
    #expect(fates.reduce(0) { $0 + $1.value } == count / workers * workers)
    #expect(counts.received == counts.delivered + counts.merged + counts.dropped)
    #expect(counts.pending == 0 && running.value == 0)
    #expect(fates[Fate.executed.rawValue].value <= counts.delivered)
    #expect(counts.received <= count)
  }
}
