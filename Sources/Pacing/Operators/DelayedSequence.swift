/// A sequence that delivers the elements of another one some time later.
///
/// `delayed(by:)` or `delayed(until:)` makes it.
public struct DelayedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// The elements are those of upstream.
  public typealias Element = Base.Element
  /// The errors are those of upstream.
  public typealias Failure = Base.Failure
  /// What a loop takes the elements from.
  public typealias AsyncIterator = PacedIterator<Element, Failure>

  let upstream: Upstream<Base>
  let state: DelayState<Base.Element>

  /// Begins to read upstream: each call is a run of its own.
  public func makeAsyncIterator() -> AsyncIterator {
    upstream.iterator(through: state) { pacer, element in
      pacer.update { $0.send(element, at: $1) }
    } finish: { state, finish, now in
      state.finish(finish, at: now)
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Delays the elements: each is delivered some time after it came, in order.
  ///
  /// The elements keep their distances. Use `throttled(every:)` to widen them.
  ///
  /// ```swift
  /// for await message in messages.delayed(by: .seconds(5)) { archive(message) }
  /// ```
  ///
  /// A delay of four steps, without and with the end:
  ///
  ///     upstream   a-bc------d-|----
  ///     delayed    ----a-bc------(d|)
  ///     end        ----a-bc------d-|
  ///
  /// ## Timing
  /// An element is due when the delay has passed since its arrival. None is dropped: those that
  /// wait are kept, however many they are, and so are those that a slow consumer has not taken. An
  /// error of upstream is thrown at once, and drops what waits.
  ///
  /// ## Concurrency
  /// See `PacedIterator`.
  ///
  /// - Parameters:
  ///   - delay: How long each element waits; zero or less is no wait.
  ///   - includesEnd: Whether the end of upstream is delayed too; otherwise it follows the last
  ///     element.
  ///   - atEnd: What becomes of the elements that wait when upstream ends.
  ///   - onError: What becomes of them when upstream throws, before the error is thrown.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The same elements, later, with the errors of upstream.
  public func delayed(
    by delay: Duration, includingEnd includesEnd: Bool = false, atEnd: Finish = .deliver,
    onError: Finish = .discard, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> DelayedSequence<Self> {
    DelayedSequence(
      upstream: Upstream(
        base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock),
      state: DelayState(.span(Nanoseconds(wait: delay)), includingEnd: includesEnd))
  }

  /// Holds the elements back until an instant; later ones pass without a delay.
  ///
  /// Until step 5:
  ///
  ///     upstream   a---b--c|
  ///     delayed    -----(ab)-c|
  ///
  /// In everything else it is as `delayed(by:)`.
  ///
  /// - Parameters:
  ///   - instant: When the first elements leave.
  ///   - includesEnd: Whether the end of upstream is delayed too; otherwise it follows the last
  ///     element.
  ///   - atEnd: What becomes of the elements that wait when upstream ends.
  ///   - onError: What becomes of them when upstream throws, before the error is thrown.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The same elements, later, with the errors of upstream.
  public func delayed(
    until instant: PacingInstant, includingEnd includesEnd: Bool = false,
    atEnd: Finish = .deliver, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) -> DelayedSequence<Self> {
    DelayedSequence(
      upstream: Upstream(
        base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock),
      state: DelayState(.until(instant), includingEnd: includesEnd))
  }
}
