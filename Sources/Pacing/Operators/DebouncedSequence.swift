/// A sequence that delivers the last element of each burst of another one.
///
/// `debounced(for:)` makes it.
public struct DebouncedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// The elements are those of upstream.
  public typealias Element = Base.Element
  /// The errors are those of upstream.
  public typealias Failure = Base.Failure
  /// What a loop takes the elements from.
  public typealias AsyncIterator = PacedIterator<Element, Failure>

  let upstream: Upstream<Base>
  let state: ValueState<DebounceState, Base.Element>
  let rules: Rules<Base.Element>

  /// Begins to read upstream: each call is a run of its own.
  public func makeAsyncIterator() -> AsyncIterator { upstream.iterator(through: state, by: rules) }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Debounces the elements: delivers the last of a burst once no further one has come for a while.
  ///
  /// Use it for input of which only the end result matters: keystrokes, resize events, file
  /// changes.
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
  /// An element is due as in a `Debouncer`, counted from its arrival: upstream is read all the
  /// time, not when the consumer asks. A consumer that is slow finds the newest element decided;
  /// one is held, and no further quiet period is waited for. At the end the pending element is
  /// delivered at once.
  ///
  /// ## Concurrency
  /// See `PacedIterator`.
  ///
  /// - Parameters:
  ///   - wait: How long it must be quiet; zero or less delivers each element at once.
  ///   - edges: Which end of a burst is delivered.
  ///   - maximumWait: How long an element waits at the most while others keep coming; nil for no
  ///     limit.
  ///   - keep: Which of the elements that come while one is pending is delivered.
  ///   - rule: How long it must be quiet after a certain element; nil for `wait`.
  ///   - atEnd: What becomes of the pending element when upstream ends.
  ///   - onError: What becomes of the pending element when upstream throws, before the error is
  ///     thrown.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The debounced elements, with the errors of upstream.
  public func debounced(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    keeping keep: Keep<Element> = .latest,
    varying rule: (@Sendable (Element) -> Duration?)? = nil, atEnd: Finish = .deliver,
    onError: Finish = .discard, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> DebouncedSequence<Self> {
    DebouncedSequence(
      upstream: Upstream(
        base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock),
      state: ValueState(
        DebounceState(wait: wait, maximumWait: maximumWait, edges: edges),
        keepingFirst: keep.keepsFirst),
      rules: Rules(wait: rule, keep: keep))
  }
}
