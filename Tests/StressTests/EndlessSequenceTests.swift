import Foundation
import Pacing
import TestSupport
import Testing

/// A sequence that never ends and never waits.
@Suite("Endless sequences", .alone)
struct EndlessSequenceTests {
  private struct Endless: AsyncSequence, Sendable {
    let burden: Burden

    struct AsyncIterator: AsyncIteratorProtocol {
      let burden: Burden
      var number = 0

      mutating func next() async -> Int? {
        guard !Task.isCancelled else { return nil }
        number += 1
        return number
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(burden: burden) }
  }

  /// Reads three elements, and waits until the sequence is released.
  private func read<Paced: AsyncSequence>(_ paced: (Endless) -> Paced) async throws {
    let released = CountDown(1)
    var count = 0
    do {
      let values = paced(Endless(burden: Burden("endless") { released.arrive() }))
      for try await _ in values {
        count += 1
        if count == 3 { break }
      }
    }
    #expect(count == 3)
    await released.wait()
  }

  @Test("are read as far as the consumer goes, and are released with it")
  func released() async throws {
    let span = Duration.milliseconds(1)
    try await read { $0.throttled(every: span) }
    try await read { $0.audited(for: span) }
    try await read { $0.sampled(every: span) }
    try await read { $0.batched(maximumCount: 100, maximumDelay: span) }
    try await read { $0.timeout(after: .seconds(60)) }
    try await read { $0.debounced(for: span, maximumWait: span) }
  }

  @Test("leave room to the tasks of the program, also if more of them are read than it has threads")
  func leaveRoom() async throws {
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...count {
        group.addTask { try await read { $0.throttled(every: .milliseconds(1)) } }
      }
      try await group.waitForAll()
    }
  }
}
