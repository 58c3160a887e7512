extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Audits the elements: the first opens a window, at whose end the newest is delivered.
  ///
  /// Use it if a change is worth a look soon, but not at once: a badge, a cache, a derived view.
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
  /// An element is due as in an ``Auditor``, counted from its arrival. A slow consumer receives the
  /// newest decided element; one is held. When upstream ends, the pending element is delivered at
  /// the window's end.
  ///
  /// ## Concurrency
  /// See ``PacedIterator``.
  ///
  /// - Parameters:
  ///   - window: The time from the first element to the delivery of the newest.
  ///   - rule: The window that a given element opens; nil for `window`.
  ///   - atEnd: The fate of the pending element when upstream ends.
  ///   - onError: The fate of the pending element when upstream throws, before the error is thrown.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The audited elements, with the errors of upstream.
  public func audited(
    for window: Duration, varying rule: (@Sendable (Element) -> Duration?)? = nil,
    atEnd: Finish? = nil, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, Failure> {
    Upstream(self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(by: .audit(window), varying: rule)
  }
}
