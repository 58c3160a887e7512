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
  /// A slow consumer receives the newest decided element; one is held. When upstream ends, an
  /// element that waits for its tick is dropped; `.atOnce` delivers it.
  ///
  /// ## Concurrency
  /// See ``PacedIterator``.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - atEnd: The fate of the pending element when upstream ends.
  ///   - onError: The fate of the pending element when upstream throws, before the error is thrown.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The sampled elements, with the errors of upstream.
  /// - Precondition: `period` is positive.
  public func sampled(
    every period: Duration, atEnd: Finish? = nil, onError: Finish = .discard,
    tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, Failure> {
    let service = clock.service
    ConfigurationError.require(period > .zero, "every", period, must: "be positive")
    return Upstream(self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(by: .sample(every: period, start: service.now))
  }
}
