import Pacing

// snippet: testing-service
/// Looks up what is typed, once typing pauses: at most two lookups a second, each tried three
/// times.
final class Suggestions: Sendable {
  private let typing: Debouncer<String>
  private let budget: TokenBucket
  private let policy = RetryPolicy(
    backoff: .exponential(from: .milliseconds(200)), maximumAttempts: 3)
  private let clock: any Clock<Duration>
  private let lookUp: @Sendable (String) async throws -> String

  init(
    clock: any Clock<Duration> = .dispatch,
    lookUp: @escaping @Sendable (String) async throws -> String
  ) {
    typing = Debouncer(for: .milliseconds(300), clock: clock)
    budget = TokenBucket(rate: .perSecond(2), burst: 1, clock: clock)
    self.clock = clock
    self.lookUp = lookUp
  }

  func type(_ text: String) { typing.send(text) }

  /// Shows suggestions until the task is cancelled.
  func run(_ show: @Sendable (String) -> Void) async throws {
    for await text in typing.ticks() {
      try await budget.acquire()
      let suggestion = try? await retry(policy, clock: clock) { _ in try await lookUp(text) }
      if let suggestion { show(suggestion) }
    }
  }
}
// end
