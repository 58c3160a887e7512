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
  /// An element is due as in an ``Auditor``, counted from its arrival. When upstream ends, the
  /// pending element is delivered at the window's end. `varying` returns the window that a given
  /// element opens, nil for `window`. Slow consumers and the other parameters are as for
  /// `debounced(for:)`.
  public func audited(
    for window: Duration, varying rule: (@Sendable (Element) -> Duration?)? = nil,
    atEnd: Finish? = nil, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, Failure> {
    Upstream(self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(by: .audit(window), varying: rule)
  }
}
