/// A number of permits that follows what a server can bear.
///
/// ```swift
/// let server = ConcurrencyLimit(.adaptive(1...200, startingAt: 20))
/// ```
///
/// A success adds a permit in as many successes as there are permits, if at least half of them are
/// in use; a sign of overload takes a tenth, at most once for all calls that began before. Latency
/// is no sign: it also rises for reasons that fewer calls do not cure.
public struct AdaptivePermits: Sendable {
  let adaptation: Adaptation
  let isOverload: @Sendable (any Error) -> Bool

  /// A number of permits in a range.
  ///
  /// - Parameters:
  ///   - range: The least and the most permits, in `1...1 << 30`.
  ///   - start: The number to begin with.
  ///   - isOverload: Whether an error that ends `withPermit` is a sign of overload. If nil, a
  ///     ``TimeoutError`` is, and an error that advises a retry after a time, as those for the
  ///     statuses 429 and 503 do. Other errors count as successes. An ``AcquireError`` and a
  ///     `CancellationError` teach nothing, unless a deadline in force has passed.
  /// - Returns: The number, for the initialiser of a ``ConcurrencyLimit``.
  /// - Precondition: `start` is in the range.
  public static func adaptive(
    _ range: ClosedRange<Int>, startingAt start: Int,
    isOverload: (@Sendable (any Error) -> Bool)? = nil
  ) -> AdaptivePermits {
    ConfigurationError.require(
      range.lowerBound >= 1 && range.upperBound <= 1 << 30, "range", range,
      must: "be within 1...\(1 << 30)")
    ConfigurationError.require(range.contains(start), "startingAt", start, must: "be in \(range)")
    return AdaptivePermits(
      adaptation: Adaptation(range, startingAt: start),
      isOverload: isOverload ?? {
        $0 is TimeoutError || ($0 as? any RetryAdvising)?.retryAdvice?.hint != nil
      })
  }

  func outcome(of error: any Error, on service: TimerService) -> PermitOutcome {
    switch error {
    case is AcquireError: .unknown
    case is CancellationError:
      DeadlineInForce.current(on: service)?.isOver == true ? .overload : .unknown
    default: isOverload(error) ? .overload : .success
    }
  }
}
