/// A sequence that delivers the elements of another one no closer than an interval.
///
/// `throttled(every:)` makes it.
public struct ThrottledSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// The elements are those of upstream.
  public typealias Element = Base.Element
  /// The errors are those of upstream.
  public typealias Failure = Base.Failure
  /// What a loop takes the elements from.
  public typealias AsyncIterator = PacedIterator<Element, Failure>

  let upstream: Upstream<Base>
  let state: ValueState<ThrottleState, Base.Element>
  let rules: Rules<Base.Element>

  /// Begins to read upstream: each call is a run of its own.
  public func makeAsyncIterator() -> AsyncIterator { upstream.iterator(through: state, by: rules) }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Throttles the elements: delivers at once, and then no more than one in each interval.
  ///
  /// Use it for what is worth showing while it changes, but not each time: progress, positions,
  /// levels.
  ///
  /// ```swift
  /// for await percent in progress.throttled(every: .milliseconds(100)) { show(percent) }
  /// ```
  ///
  /// An interval of four steps, with the default edges and with `.leading`:
  ///
  ///     upstream   a-b-c-d-----e-f|-
  ///     both       a---b---d---e---(f|)
  ///     leading    a---c-------e--|-
  ///
  /// ## Timing
  /// An element is due as in a `Throttler`, counted from its arrival; what is kept in an interval
  /// leaves at its end by a timer, not with the next element. A consumer that is slow finds the
  /// newest element decided; one is held. At the end a kept element is delivered at the interval's
  /// end.
  ///
  /// ## Concurrency
  /// See `PacedIterator`.
  ///
  /// - Parameters:
  ///   - interval: The least time between two deliveries; zero or less delivers each element at
  ///     once.
  ///   - edges: Which ends of an interval are delivered.
  ///   - keep: Which of the elements inside one interval is delivered at its end.
  ///   - rule: How long the interval is that a certain element opens; nil for `interval`.
  ///   - atEnd: What becomes of a kept element when upstream ends.
  ///   - onError: What becomes of a kept element when upstream throws, before the error is thrown.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The throttled elements, with the errors of upstream.
  public func throttled(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Element> = .latest,
    varying rule: (@Sendable (Element) -> Duration?)? = nil, atEnd: Finish = .deliver,
    onError: Finish = .discard, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> ThrottledSequence<Self> {
    ThrottledSequence(
      upstream: Upstream(
        base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock),
      state: ValueState(
        ThrottleState(interval: interval, edges: edges), keepingFirst: keep.keepsFirst),
      rules: Rules(wait: rule, keep: keep))
  }
}
