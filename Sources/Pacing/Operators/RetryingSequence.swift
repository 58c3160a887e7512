/// A sequence that begins again after an error, waiting between the attempts.
///
/// ```swift
/// for try await event in retrying(policy, { try await client.events() }) { show(event) }
/// ```
///
/// Elements pass through as they come. After an error the policy decides whether and when to call
/// `make` again. A policy that is `resetting(afterHealthy:)` begins again after a sequence that
/// lasted for that period, as `retry` does after such an attempt.
///
/// ## Concurrency
/// Each iterator is a run of its own, in the consumer's task. A cancelled wait ends immediately,
/// with a `CancellationError`; cancellation is never retried.
///
/// - Parameters:
///   - policy: What is retried, how often, and how long after an error.
///   - clock: The clock of the waits.
///   - make: Makes the sequence of each attempt; an error that it throws is retried too.
/// - Returns: The sequence. It ends when one of its attempts ends, and throws the last error when
///   the policy gives up.
public func retrying<Base: AsyncSequence>(
  _ policy: RetryPolicy, clock: any Clock<Duration> = .dispatch,
  _ make: @escaping @Sendable () async throws -> Base
) -> RetryingSequence<Base> {
  RetryingSequence(policy: policy, service: clock.service, make: make)
}

/// The sequence that `retrying(_:clock:_:)` makes.
public struct RetryingSequence<Base: AsyncSequence>: AsyncSequence, Sendable {
  /// The elements of each attempt.
  public typealias Element = Base.Element
  /// The last error of the attempts, or a cancellation.
  public typealias Failure = any Error

  let policy: RetryPolicy
  let service: TimerService
  let make: @Sendable () async throws -> Base

  /// Makes an iterator, whose first `next()` begins the first attempt.
  public func makeAsyncIterator() -> Iterator {
    Iterator(policy: policy, service: service, make: make)
  }

  /// One run through the attempts.
  public struct Iterator: AsyncIteratorProtocol {
    let policy: RetryPolicy
    let service: TimerService
    let make: @Sendable () async throws -> Base
    fileprivate var state: RetryState?
    fileprivate var base: Base.AsyncIterator?
    fileprivate var hasEnded = false

    /// The next element; nil when an attempt has ended without an error.
    ///
    /// - Throws: The last error, or a `CancellationError`.
    public mutating func next() async throws -> Element? {
      try await next(isolation: #isolation)
    }

    /// The next element; nil when an attempt has ended without an error.
    ///
    /// - Throws: The last error, or a `CancellationError`.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Element? {
      guard !hasEnded else { return nil }
      var state = self.state ?? RetryState(policy, start: service.now)
      defer { self.state = state }
      while true {
        do {
          if base == nil {
            policy.beforeAttempt(state.attempt)
            state.begin(at: service.now)
            base = try await make().makeAsyncIterator()
          }
          if let element = try await base?.next(isolation: actor) { return element }
          hasEnded = true
          // A sequence ends with its task, too: that is no success.
          if !Task.isCancelled { policy.afterAttempt(state.succeeded(at: service.now)) }
          return nil
        } catch {
          base = nil
          try await wait(after: error, &state)
        }
      }
    }

    /// Waits for the next attempt, or throws because there is none.
    private mutating func wait(after error: any Error, _ state: inout RetryState) async throws {
      hasEnded = true
      switch await state.waitForNext(after: error, telling: policy, in: service) {
      case .attempt: hasEnded = false
      case .giveUp(let end): throw end.error ?? error
      case .cancelled: throw CancellationError()
      }
    }
  }
}
