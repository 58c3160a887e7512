/// A sequence that begins again after an error, waiting between the attempts.
///
/// ```swift
/// for try await event in retrying(policy, { try await client.events() }) { show(event) }
/// ```
///
/// Elements pass through as they come. After an error, of `make` too, the policy decides whether
/// and when to call `make` again; its limit and `attemptTimeout` apply to that call. A sequence
/// that lasted for the period of `resetting(afterHealthy:)` was healthy. One that the consumer
/// leaves has succeeded, unless its task is cancelled. The sequence ends when an attempt ends, and
/// throws the last error when the policy gives up.
///
/// ## Concurrency
/// Each iterator is a run of its own, in the consumer's task. A cancelled wait ends immediately,
/// with a `CancellationError`; the cancellation of the task is never retried.
public func retrying<Base: AsyncSequence>(
  _ policy: RetryPolicy, clock: any Clock<Duration> = .dispatch,
  _ make: @escaping @Sendable () async throws -> Base
) -> some AsyncSequence<Base.Element, any Error> & Sendable {
  RetryingSequence(policy: policy, service: clock.service, make: make)
}

private struct RetryingSequence<Base: AsyncSequence>: AsyncSequence, Sendable {
  let policy: RetryPolicy
  let service: TimerService
  let make: @Sendable () async throws -> Base

  func makeAsyncIterator() -> Iterator {
    Iterator(policy: policy, service: service, make: make)
  }

  /// One run through the attempts, which the first `next()` begins.
  struct Iterator: AsyncIteratorProtocol {
    private let attempts: Attempts
    private let make: @Sendable () async throws -> Base

    init(
      policy: RetryPolicy, service: TimerService, make: @escaping @Sendable () async throws -> Base
    ) {
      attempts = Attempts(RetryRun(policy, on: service))
      self.make = make
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(any Error) -> Base.Element? {
      while !attempts.hasEnded {
        do {
          if attempts.base == nil {
            attempts.run.begin()
            attempts.base = try await attempts.run.attempt { _ in try await make() }.get()
              .makeAsyncIterator()
          }
          if let element = try await attempts.base?.next(isolation: actor) { return element }
          attempts.end()
        } catch {
          attempts.base = nil
          attempts.hasEnded = true
          switch await attempts.run.next(after: error) {
          case .attempt: attempts.hasEnded = false
          case .giveUp(let end): throw end.error ?? error
          case .cancelled: throw CancellationError()
          }
        }
      }
      return nil
    }
  }

  /// The attempts of an iterator, whose last copy ends them.
  private final class Attempts {
    var run: RetryRun
    var base: Base.AsyncIterator?
    var hasEnded = false

    init(_ run: RetryRun) {
      self.run = run
    }

    deinit {
      // The consumer has left a sequence that did not fail.
      if base != nil { end() }
    }

    /// Ends with the sequence, which is a success unless it ended with its task.
    func end() {
      base = nil
      hasEnded = true
      if Task.isCancelled { run.left() } else { run.succeeded() }
    }
  }
}
