extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Delays the elements: each is delivered some time after its arrival, in order.
  ///
  /// The elements keep their distances; `throttled(every:)` widens them.
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
  /// Until step 5, for a source that may not be heard before:
  ///
  ///     upstream   a---b--c|
  ///     delayed    -----(ab)-c|
  ///
  /// ## Timing
  /// An element is due `delay` after its arrival, and not before `instant`. None is dropped: memory
  /// grows with the elements that wait for their time or for a slow consumer. An error of upstream
  /// is thrown at once, and drops the elements that wait. The end of upstream follows the last
  /// element, or with `includingEnd` is delayed too. A delay of zero or less is none.
  ///
  /// The parameters after `includingEnd` are those of `debounced(for:)`.
  public func delayed(
    by delay: Duration = .zero, until instant: PacingInstant? = nil,
    includingEnd includesEnd: Bool = false, atEnd: Finish? = nil, onError: Finish = .discard,
    tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, Failure> {
    let state = DelayState(
      Nanoseconds(wait: delay), notBefore: instant ?? .distantPast, includingEnd: includesEnd)
    let upstream = Upstream(
      self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
    return PacedSequence {
      let pacer = Pacer(state, tolerance: tolerance, service: upstream.service)
      return upstream.iterator(
        over: pacer.subscribe(), showing: { $0.get() }, room: nil
      ) { element in
        let value = AnyValue(element)
        pacer.update { $0.send(value, at: $1) }
      } finish: { finish in
        // What is dropped is released outside the lock; so it is below.
        withExtendedLifetime(pacer.update { $0.finish(finish ?? .whenDue, at: $1) }) {}
      } leave: {
        withExtendedLifetime(pacer.overrule { $0.finish(.discard, at: $1) }) {}
      }
    }
  }
}
