/// A sequence that delivers the newest element of another one at the ticks of a grid.
///
/// `sampled(every:)` makes it.
public struct SampledSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// The elements are those of upstream.
  public typealias Element = Base.Element
  /// The errors are those of upstream.
  public typealias Failure = Base.Failure
  /// What a loop takes the elements from.
  public typealias AsyncIterator = PacedIterator<Element, Failure>

  let upstream: Upstream<Base>
  let timing: SampleState

  /// Begins to read upstream, and the grid: each call is a run of its own.
  public func makeAsyncIterator() -> AsyncIterator {
    upstream.iterator(
      through: ValueState(timing.starting(at: upstream.clock.now)), by: Rules(wait: nil))
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Samples the elements: delivers the newest at each tick, if one has come since the last.
  ///
  /// Use it where the time of a delivery must not depend on that of the elements: a chart, a log
  /// line a second.
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
  /// A consumer that is slow finds the newest element decided; one is held. At the end the element
  /// that no tick has come for is dropped; `.atOnce` delivers it.
  ///
  /// ## Concurrency
  /// See `PacedIterator`.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - atEnd: What becomes of the pending element when upstream ends.
  ///   - onError: What becomes of the pending element when upstream throws, before the error is
  ///     thrown.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The sampled elements, with the errors of upstream.
  /// - Precondition: `period` is positive; what `TickSchedule(validating:)` takes is.
  public func sampled(
    every period: Duration, atEnd: Finish = .deliver, onError: Finish = .discard,
    tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> SampledSequence<Self> {
    SampledSequence(
      upstream: Upstream(
        base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock),
      timing: SampleState(period: period, start: clock.now))
  }
}
