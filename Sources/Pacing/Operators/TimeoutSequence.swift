/// A sequence that throws where another one takes too long.
///
/// `timeout(after:)` makes it.
public struct TimeoutSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// The elements are those of upstream.
  public typealias Element = Base.Element
  /// A `TimeoutError`, or an error of upstream.
  public typealias Failure = any Error
  /// What a loop takes the elements from.
  public typealias AsyncIterator = PacedIterator<Element, Failure>

  let upstream: Upstream<Base>
  let state: TimeoutState

  /// Begins to read upstream, and time to run: each call is a run of its own.
  public func makeAsyncIterator() -> AsyncIterator {
    let relay = Relay<Element, Failure>(Mailbox(merge: nil))
    let watch = Pacer(
      state, handler: Handler(on: .shared) { relay.end(throwing: $0) },
      tolerance: upstream.tolerance, clock: upstream.clock)
    watch.update { $0.ask(at: $1) }
    upstream.read(in: relay) { element in
      // Nil where the element is in time: what is due is decided before it.
      if let failure = watch.update({ $0.answer(at: $1) }) {
        relay.end(throwing: failure)
        return false
      }
      relay.offer(element)
      await relay.waitForRoom(2)
      watch.update { $0.ask(at: $1) }
      return true
    } end: { failure in
      relay.end(throwing: watch.update { $0.stop(at: $1) } ?? failure)
    }
    return PacedIterator(relay) { watch.overrule { _ = $0.cancel() } }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Passes the elements on, and throws a `TimeoutError` where the next one takes too long.
  ///
  /// Use it for a source that should never be silent: a heartbeat, a subscription, a download.
  ///
  /// ```swift
  /// for try await beat in heartbeats.timeout(after: .seconds(10)) { lastSeen = beat }
  /// ```
  ///
  /// A limit of four steps:
  ///
  ///     upstream   a--b-------c
  ///     timeout    a--b---#----
  ///
  /// ## Timing
  /// Time runs from the beginning, or the element before; one that comes exactly when it is over is
  /// too late, and so is the end. Elements that came in time are delivered before the error. While
  /// two wait for a consumer that is slow, upstream is not asked and no time runs: its silence is
  /// not upstream's.
  ///
  /// ## Concurrency
  /// See `PacedIterator`. When time is over upstream is released at once, not when the consumer
  /// asks.
  ///
  /// - Parameters:
  ///   - limit: How long an element may take.
  ///   - first: How long the first one may take, where that is not the same.
  ///   - tolerance: How much later the error may be, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The same elements; it throws a `TimeoutError`, or an error of upstream.
  public func timeout(
    after limit: Duration, first: Duration? = nil, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) -> TimeoutSequence<Self> {
    TimeoutSequence(
      upstream: Upstream(base: self, tolerance: tolerance, clock: clock),
      state: TimeoutState(first: first ?? limit, each: limit))
  }

  /// Passes the elements on, and throws a `TimeoutError` where the first one takes too long.
  ///
  /// - Parameters:
  ///   - first: How long the first element may take; those after it may take any time.
  ///   - tolerance: How much later the error may be, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The same elements; it throws a `TimeoutError`, or an error of upstream.
  public func timeout(
    first: Duration, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> TimeoutSequence<Self> {
    timeout(after: Duration(nanoseconds: .never), first: first, tolerance: tolerance, clock: clock)
  }
}
