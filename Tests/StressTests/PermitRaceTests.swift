import Dispatch
import Pacing
import Synchronization
import TestSupport
import Testing

@Suite("Permits under contention", .alone)
struct PermitRaceTests {
  /// Counts the operations that run at a time.
  final class Load: Sendable {
    private let running = Atomic(0)
    private let peak = Atomic(0)

    var highest: Int { peak.load(ordering: .relaxed) }

    func begin() {
      let now = running.add(1, ordering: .acquiringAndReleasing).newValue
      peak.max(now, ordering: .relaxed)
    }

    func end() { running.subtract(1, ordering: .acquiringAndReleasing) }
  }

  @Test("never more are held than the count, and all come back, whichever callers are cancelled")
  func peak() async {
    let limit = ConcurrencyLimit(3)
    let load = Load()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          for round in 0..<100 * Soak.scale {
            let task = Task {
              try await limit.withPermit(within: round % 3 == 0 ? .microseconds(50) : nil) {
                load.begin()
                await Task.yield()
                load.end()
              }
            }
            if (number + round) % 4 == 0 { task.cancel() }
            _ = await task.result
          }
        }
      }
    }
    #expect((1...3).contains(load.highest))
    #expect(limit.heldCount == 0 && limit.waitingCount == 0)
  }

  @Test("a request is granted or withdrawn, never both, and no permit is lost")
  func races() async {
    let limit = ConcurrencyLimit(1)
    for round in 0..<2000 * Soak.scale {
      let first = limit.tryAcquire()
      let left = CountDown(1)
      let granted = Counter()
      let handle = limit.acquire { result in
        if case .success(let permit) = result {
          permit.release()
          granted.add()
        }
        left.arrive()
      }
      let withdrawn = Counter()
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          first?.release()
        } else if handle.cancel() {
          withdrawn.add()
          left.arrive()
        }
      }
      await left.wait()
      #expect(granted.value + withdrawn.value == 1, "round \(round)")
      #expect(limit.available == 1 && limit.waitingCount == 0, "round \(round)")
    }
  }

  @Test("with a limit of the starts, each is spent by a permit that was granted, and by no other")
  func limitedStarts() async {
    let most = 2000 * Soak.scale
    let limit = ConcurrencyLimit(3, limitedBy: [.fixedWindow(most, per: .seconds(86_400))])
    let (load, runs) = (Load(), Counter())
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<32 {
        group.addTask {
          // Ends when the window is spent: the next one is after any deadline.
          while true {
            let isCancelled = Bool.random()
            let task = Task {
              try await limit.withPermit(within: .seconds(number % 2 == 0 ? 3600 : 1800)) {
                load.begin()
                runs.add()
                await Task.yield()
                load.end()
              }
            }
            if isCancelled { task.cancel() }
            _ = limit.tryAcquire().map { permit in
              runs.add()
              permit.release()
            }
            if case .failure(let error) = await task.result, error is AcquireError { break }
          }
        }
      }
    }
    #expect((1...3).contains(load.highest))
    #expect(runs.value == most && limit.statistics.granted == most)
    #expect(limit.heldCount == 0 && limit.waitingCount == 0)
  }
}
