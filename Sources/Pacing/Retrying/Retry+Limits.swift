/// Runs an operation until it succeeds, each attempt at the pace of a limit that others may share.
///
/// ```swift
/// let page = try await retry(policy, limitedBy: bucket) { try await fetch(url) }
/// ```
///
/// As `retry(_:clock:_:)`, for an operation of which each attempt first acquires a cost of one. The
/// wait is part of the attempt, and `timeout` its longest time; nil for no bound. A refusal by the
/// limit is a failed attempt with an ``AcquireError``: a wait that it names raises the backoff's
/// delay, as a server's does, and a limit that can never grant the cost ends the retry.
public nonisolated(nonsending) func retry<Success>(
  _ policy: RetryPolicy, limitedBy limit: some AwaitableLimit, within timeout: Duration? = nil,
  clock: any Clock<Duration> = .dispatch,
  _ operation: nonisolated(nonsending) (Attempt) async throws -> Success
) async throws -> Success {
  try await retry(policy, clock: clock) { (attempt: Attempt) async throws in
    try await limit.acquire(1, within: timeout)
    return try await operation(attempt)
  }
}

/// As `retry(_:limitedBy:within:clock:_:)`, for an operation that does not ask which attempt it is.
public nonisolated(nonsending) func retry<Success>(
  _ policy: RetryPolicy, limitedBy limit: some AwaitableLimit, within timeout: Duration? = nil,
  clock: any Clock<Duration> = .dispatch,
  _ operation: nonisolated(nonsending) () async throws -> Success
) async throws -> Success {
  try await retry(policy, limitedBy: limit, within: timeout, clock: clock) {
    (_: Attempt) async throws in try await operation()
  }
}

extension AcquireError: RetryAdvising {
  /// A retry after the wait that was needed; none if no wait is long enough, or if the limit is
  /// closed.
  public var retryAdvice: RetryAdvice? {
    switch kind {
    case .exceedsBurst, .closed: .permanent
    case .deadline(let neededWait): neededWait.map { .retry(after: $0) } ?? .retry
    case .queueIsFull: .retry
    }
  }
}
