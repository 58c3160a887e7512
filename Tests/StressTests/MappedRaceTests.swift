import Pacing
import Synchronization
import TestSupport
import Testing

@Suite("mapped, from many threads", .alone)
struct MappedRaceTests {
  @Test("each element is mapped once, in order or not", arguments: [true, false])
  func all(inOrder: Bool) async throws {
    let load = PermitRaceTests.Load()
    for _ in 0..<20 * Soak.scale {
      let source = AsyncStream { continuation in
        for number in 0..<100 { continuation.yield(number) }
        continuation.finish()
      }
      var results = [Int]()
      let mapped = source.mapped(atMost: 4, inOrder: inOrder) { number in
        load.begin()
        defer { load.end() }
        await Task.yield()
        return number
      }
      for try await number in mapped { results.append(number) }
      #expect((inOrder ? results : results.sorted()) == Array(0..<100))
    }
    #expect((1...4).contains(load.highest))
  }

  @Test("an error, or a consumer that leaves at any moment, leaves no permit behind")
  func leaving() async throws {
    struct Failed: Error {}
    let limit = ConcurrencyLimit(3)
    for round in Soak.seeds(300) {
      let consumer = Task {
        let source = AsyncStream(unfolding: { 1 })
        let mapped = source.mapped(atMost: limit, inOrder: round % 2 == 0) {
          await Task.yield()
          if round % 3 == 0, Bool.random() { throw Failed() }
          return $0
        }
        var left = Int(round % 7)
        for try await _ in mapped {
          left -= 1
          if left <= 0, round % 5 == 0 { return }
        }
      }
      await Task.yield()
      if round % 3 != 0, round % 5 != 0 { consumer.cancel() }
      _ = await consumer.result
      // All permits come back, though a consumer that leaves waits for none.
      var permits = [Permit]()
      for _ in 0..<3 { permits.append(try await limit.acquire()) }
      for permit in permits { permit.release() }
    }
    #expect(limit.heldCount == 0 && limit.waitingCount == 0)
  }
}
