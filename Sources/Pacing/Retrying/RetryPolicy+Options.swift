extension RetryPolicy {
  /// This policy with another rule for the delays that a server names than `HintPolicy.obeyed`.
  public func obeying(_ hints: HintPolicy) -> RetryPolicy {
    changing(self) { $0.hints = hints }
  }

  /// This policy with advice on errors that do not bring their own.
  ///
  /// ```swift
  /// policy.advised { ($0 as? HTTPError)?.retryAfter.map { .retry(after: $0) } }
  /// ```
  ///
  /// The closure is asked about errors that `retryIf` retries; nil is for the error's own advice,
  /// or else a retry after the backoff's delay.
  public func advised(
    by advice: @escaping @Sendable (any Error) -> RetryAdvice?
  ) -> RetryPolicy {
    changing(self) { $0.advice = advice }
  }

  /// This policy within a budget that other policies may share.
  public func sharing(_ budget: RetryBudget) -> RetryPolicy {
    changing(self) { $0.budget = budget }
  }

  /// This policy for operations that are meant to last, such as a connection.
  ///
  /// An attempt that ran for the period before it failed was healthy: the count of the attempts,
  /// their time and the backoff begin again with it, as if it had been the first. If the period is
  /// not positive, any attempt was healthy.
  public func resetting(afterHealthy period: Duration) -> RetryPolicy {
    changing(self) { $0.healthyPeriod = Nanoseconds(wait: period) }
  }

  /// This policy with a hook that receives each attempt before it begins, after the policy's
  /// earlier hooks.
  public func beforeAttempt(_ hook: @escaping @Sendable (Attempt) -> Void) -> RetryPolicy {
    changing(self) { policy in
      policy.beforeAttempt = { [before = beforeAttempt] in
        before($0)
        hook($0)
      }
    }
  }

  /// This policy with a hook that receives a report of each attempt that has ended, after the
  /// policy's earlier hooks, and before `onGiveUp`.
  public func afterAttempt(_ hook: @escaping @Sendable (AttemptReport) -> Void) -> RetryPolicy {
    changing(self) { policy in
      policy.afterAttempt = { [before = afterAttempt] in
        before($0)
        hook($0)
      }
    }
  }
}
