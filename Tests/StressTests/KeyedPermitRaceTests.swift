import Pacing
import TestSupport
import Testing

@Suite("Permits by key under contention", .alone)
struct KeyedPermitRaceTests {
  private typealias Load = PermitRaceTests.Load

  @Test("no count is exceeded, no permit is lost and no key starves, whichever callers leave")
  func contention() async {
    let limit = KeyedConcurrencyLimit<Int>(perKey: 2, total: 5)
    let (all, each) = (Load(), (0..<8).map { _ in Load() })
    let served = (0..<8).map { _ in Counter() }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          for round in 0..<60 * Soak.scale {
            let key = (number * 7 + round) % 8
            let hold = { @Sendable in
              all.begin()
              each[key].begin()
              await Task.yield()
              each[key].end()
              all.end()
              served[key].add()
            }
            if round % 5 == 0 {
              guard let permit = limit.tryAcquire(for: key) else { continue }
              await hold()
              permit.release()
              continue
            }
            let task = Task {
              let timeout: Duration? = round % 3 == 0 ? .microseconds(50) : nil
              try await limit.withPermit(for: key, within: timeout) { await hold() }
            }
            if (number + round) % 4 == 0 { task.cancel() }
            _ = await task.result
          }
        }
      }
    }
    #expect((1...5).contains(all.highest))
    for key in 0..<8 {
      #expect((1...2).contains(each[key].highest) && served[key].value > 0, "key \(key)")
    }
    #expect(limit.heldCount == 0 && limit.waitingCount == 0 && limit.keyCount == 0)
    let statistics = limit.statistics
    #expect(statistics.granted >= served.reduce(0) { $0 + $1.value })
  }

  @Test("a permit that comes back as its next owner leaves is for another, or free")
  func handOver() async {
    let limit = KeyedConcurrencyLimit<Int>(perKey: 1, total: 1)
    for round in 0..<1000 * Soak.scale {
      let held = limit.tryAcquire(for: round % 2)
      let waiting = Task { try await limit.acquire(for: 0) }
      async let left: Void = { waiting.cancel() }()
      held?.release()
      await left
      (try? await waiting.value)?.release()
      #expect(limit.heldCount == 0 && limit.waitingCount == 0 && limit.keyCount == 0, "\(round)")
    }
  }
}
