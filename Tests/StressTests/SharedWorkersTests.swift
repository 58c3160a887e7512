import Dispatch
import Pacing
import Synchronization
import Testing

@Suite("Shared workers")
struct SharedWorkersTests {
  /// Handlers that block until another tool's handler has run: they end only if it is not held up.
  @Test("handlers that block hold up no other tool")
  func blockedHandlers() async {
    let gate = DispatchSemaphore(value: 0)
    let count = 40
    let blocked = (0..<count).map { _ in DispatchTimer.scheduled(after: .zero) { gate.wait() } }
    let opened = AsyncStream<Void>.makeStream()
    let opener = DispatchTimer.scheduled(after: .milliseconds(5)) {
      for _ in 0..<count { gate.signal() }
      opened.continuation.finish()
    }
    for await _ in opened.stream {}
    withExtendedLifetime((blocked, opener)) {}
  }

  @Test("every handler runs once, however many come at once")
  func manyHandlers() async {
    let count = 5_000
    let ran = AsyncStream<Int>.makeStream()
    let timers = (0..<count).map { index in
      DispatchTimer.scheduled(after: .microseconds(index % 7 * 100)) {
        ran.continuation.yield(index)
      }
    }
    var seen = Set<Int>()
    for await index in ran.stream {
      #expect(seen.insert(index).inserted)
      if seen.count == count { break }
    }
    withExtendedLifetime(timers) {}
  }
}
