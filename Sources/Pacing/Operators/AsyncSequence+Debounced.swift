extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Debounces the elements: delivers the last of a burst after a quiet period.
  ///
  /// Use it for input whose end result alone matters: keystrokes, resize events, file changes.
  ///
  /// ```swift
  /// for await query in keystrokes.debounced(for: .milliseconds(300)) { show(await search(query)) }
  /// ```
  ///
  /// A quiet period of three steps, with the default edge and with `.both`:
  ///
  ///     upstream   a-b-c-------d-|
  ///     trailing   -------c------(d|)
  ///     both       a------c----d-|
  ///
  /// ## Timing
  /// An element is due as in a ``Debouncer``, counted from its arrival: upstream is read
  /// continuously, not on demand. A slow consumer receives the newest decided element; one is held.
  /// At the end the pending element is delivered at once.
  ///
  /// - Parameters:
  ///   - wait: The quiet period; zero or less delivers each element at once.
  ///   - edges: The ends of a burst that are delivered.
  ///   - maximumWait: The longest that an element waits while others keep coming; nil for no limit.
  ///   - keep: The rule for elements that come while one is pending.
  ///   - rule: The quiet period after a given element; nil for `wait`.
  ///   - atEnd: The fate of the pending element when upstream ends.
  ///   - onError: The fate of the pending element when upstream throws, before the error is thrown.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The debounced elements.
  public func debounced(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Element> = .latest,
    varying rule: (@Sendable (Element) -> Duration?)? = nil, atEnd: Finish? = nil,
    onError: Finish = .discard, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, Failure> {
    Upstream(self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(
        by: .debounce(wait, maximumWait: maximumWait, edges: edges), keeping: keep, varying: rule)
  }
}
