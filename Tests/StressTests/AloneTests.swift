import TestSupport
import Testing

@Suite("Tests that run alone", .alone)
struct AloneTests {
  private static let running = Counter()

  @Test("run one at a time", arguments: 0..<20)
  func cases(number: Int) async {
    #expect(Self.running.add() == 1)
    for _ in 0..<10 { await Task.yield() }
    Self.running.add(-1)
  }

  @Suite("Nested tests that run alone")
  struct Nested {
    @Test("run while no other does", arguments: 0..<20)
    func cases(number: Int) async {
      await AloneTests().cases(number: number)
    }
  }
}

@Suite("The turn to run alone")
struct AloneTurnTests {
  private struct Failure: Error {}

  @Test("comes back from a test that fails")
  func failure() async {
    for _ in 0..<2 {
      await #expect(throws: Failure.self) {
        try await Alone().provideScope(for: Test.current!, testCase: nil) { throw Failure() }
      }
    }
  }

  @Test("comes back from a test that is cancelled, and none is taken if it still waits")
  func cancellation() async throws {
    let test = Test.current!
    for _ in 0..<2 {
      let cancelled = Task {
        try await Alone().provideScope(for: test, testCase: nil) {
          try await Task.sleep(for: .seconds(3600))
        }
      }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
  }
}
