extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Samples the elements: delivers the newest at each tick, if one has come since the last.
  ///
  /// Use it if the time of a delivery must not depend on that of the elements: a chart, a log line
  /// a second.
  ///
  /// ```swift
  /// for await load in loads.sampled(every: .seconds(1)) { chart.append(load) }
  /// ```
  ///
  /// A tick at every fourth step:
  ///
  ///     upstream   a-b-c---------d---e|
  ///     sampled    ----b---c-------d--|
  ///
  /// ## Timing
  /// The first tick is one period after the iterator was made, and lateness does not move the grid.
  /// When upstream ends, an element that waits for its tick is dropped; `.atOnce` delivers it. Slow
  /// consumers and the other parameters are as for `debounced(for:)`.
  ///
  /// - Precondition: `period` is positive.
  public func sampled(
    every period: Duration, atEnd: Finish? = nil, onError: Finish = .discard,
    tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, Failure> {
    ConfigurationError.require(period > .zero, "every", period, must: "be positive")
    let upstream = Upstream(
      self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
    return upstream.paced(by: .sample(every: period, start: upstream.service.now))
  }
}
