extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Throttles the elements: delivers the first at once, then at most one in each interval.
  ///
  /// Use it for values worth showing while they change, but not every time: progress, positions,
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
  /// An element is due as in a ``Throttler``, counted from its arrival; one kept in an interval is
  /// delivered at its end by a timer, not with the next element. When upstream ends, a kept element
  /// is delivered at the interval's end. An interval of zero or less delivers each element at once;
  /// `varying` returns the interval that a given element opens. Slow consumers and the other
  /// parameters are as for `debounced(for:)`.
  public func throttled(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep<Element> = .latest,
    varying rule: (@Sendable (Element) -> Duration?)? = nil, atEnd: Finish? = nil,
    onError: Finish = .discard, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, Failure> {
    Upstream(self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(by: .throttle(interval, edges: edges), keeping: keep, varying: rule)
  }
}
