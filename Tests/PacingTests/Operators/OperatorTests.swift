import Pacing
import PacingTesting
import TestSupport
import Testing

struct Fault: Error, Equatable {}

@Suite("Operators")
struct OperatorTests {
  let clock = ManualClock()
  let source = Source<String, Fault>()

  private func debounced() -> DebouncedSequence<Source<String, Fault>> {
    source.debounced(for: .milliseconds(10), clock: clock)
  }

  @Test("read upstream before the consumer asks, and count from the arrival")
  func eager() async throws {
    var iterator = debounced().makeAsyncIterator()
    await source.send("a")
    await source.send("b")
    #expect(clock.nextDeadline == .at(10))
    clock.advance(by: .milliseconds(10))
    #expect(try await iterator.next() == "b", "no time passes while the consumer asks")
  }
}
