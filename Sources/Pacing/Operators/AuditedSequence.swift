/// A sequence that delivers the newest element of another one, some time after something came.
///
/// `audited(for:)` makes it.
public struct AuditedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// The elements are those of upstream.
  public typealias Element = Base.Element
  /// The errors are those of upstream.
  public typealias Failure = Base.Failure
  /// What a loop takes the elements from.
  public typealias AsyncIterator = PacedIterator<Element, Failure>

  let upstream: Upstream<Base>
  let state: ValueState<AuditState, Base.Element>
  let rules: Rules<Base.Element>

  /// Begins to read upstream: each call is a run of its own.
  public func makeAsyncIterator() -> AsyncIterator { upstream.iterator(through: state, by: rules) }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Audits the elements: when one comes, waits for a while and delivers the newest that came
  /// meanwhile.
  ///
  /// Use it where a change is worth a look soon, but not at once: a badge, a cache, a derived view.
  ///
  /// ```swift
  /// for await count in unread.audited(for: .milliseconds(200)) { badge = count }
  /// ```
  ///
  /// A window of four steps:
  ///
  ///     upstream   a-b-c-d-----e|---
  ///     audited    ----b---d-------(e|)
  ///
  /// ## Timing
  /// An element is due as in an `Auditor`, counted from its arrival. A consumer that is slow finds
  /// the newest element decided; one is held. At the end the pending element is delivered at the
  /// window's end.
  ///
  /// ## Concurrency
  /// See `PacedIterator`.
  ///
  /// - Parameters:
  ///   - window: How long after the first element the newest is delivered.
  ///   - rule: How long the window is that a certain element opens; nil for `window`.
  ///   - atEnd: What becomes of the pending element when upstream ends.
  ///   - onError: What becomes of the pending element when upstream throws, before the error is
  ///     thrown.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The audited elements, with the errors of upstream.
  public func audited(
    for window: Duration, varying rule: (@Sendable (Element) -> Duration?)? = nil,
    atEnd: Finish = .deliver, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) -> AuditedSequence<Self> {
    AuditedSequence(
      upstream: Upstream(
        base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock),
      state: ValueState(AuditState(window: window)), rules: Rules(wait: rule))
  }
}
