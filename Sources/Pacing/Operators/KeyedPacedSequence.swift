/// A sequence that paces the elements of another one, those of each key by themselves.
///
/// `debounced(for:by:)` and `throttled(every:by:)` make it.
public struct KeyedPacedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// The elements are those of upstream.
  public typealias Element = Base.Element
  /// The errors are those of upstream.
  public typealias Failure = Base.Failure

  /// The iterator of the sequence; a `PacedIterator` in everything else.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var paced: PacedIterator<AnyKeyedValue, Failure>

    init(_ paced: PacedIterator<AnyKeyedValue, Failure>) {
      self.paced = paced
    }

    /// Returns the next element, nil at the end.
    ///
    /// - Throws: The error of upstream, once, after every element that was decided before it.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Element? {
      try await paced.next(isolation: actor)?.value.get()
    }
  }

  private let iterate: @Sendable () -> PacedIterator<AnyKeyedValue, Failure>

  init<Timing: ValueTiming, Key: Hashable & Sendable>(
    _ upstream: Upstream<Base>, through timing: Timing,
    by key: @escaping @Sendable (Element) -> Key,
    rules: KeyedRules, limit: KeyLimit
  ) {
    iterate = {
      let pacing = KeyedPacing(
        timing, rules: rules, limit: limit, tolerance: upstream.tolerance, clock: upstream.clock,
        handler: nil)
      return upstream.iterator(over: pacing.pacer.subscribe(), room: limit.maximum) { element in
        pacing.send(AnyValue(element), key: AnyKey(key(element)))
      } finish: {
        pacing.finish($0)
      } leave: {
        pacing.finish(.discard)
      }
    }
  }

  /// Begins to read upstream: each call is a run of its own.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterate()) }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Debounces the elements of each key: delivers the last of a key's burst once that key is quiet.
  ///
  /// Use it for a stream of changes to many things: files, documents, rows.
  ///
  /// ```swift
  /// for await change in changes.debounced(for: .seconds(1), by: \.path) { reload(change) }
  /// ```
  ///
  /// A quiet period of three steps; the letter is the key, and `A` is a newer element of `a`:
  ///
  ///     upstream   abA-----------
  ///     debounced  ----bA--------
  ///
  /// ## Timing
  /// For each key as in a `KeyedDebouncer`, counted from the arrival of its elements. A slow
  /// consumer receives the newest element of each key. Keys in use are bounded, and so is what
  /// waits for the consumer: while elements of as many keys wait, upstream is not read.
  ///
  /// ## Concurrency
  /// See `PacedIterator`. All keys share one timer and one task; a key takes memory while it has a
  /// pending element or an open window.
  ///
  /// - Parameters:
  ///   - wait: The quiet period; zero or less delivers each element at once.
  ///   - key: The key of an element, asked once for each.
  ///   - edges: The ends of a burst that are delivered.
  ///   - maximumWait: The longest that an element waits while others of its key keep coming; nil
  ///     for no limit.
  ///   - keep: The rule for elements of one key that come while one is pending.
  ///   - limit: The bound on the keys in use, and what happens to an element of one key more.
  ///   - atEnd: What happens to the pending elements when upstream ends.
  ///   - onError: What happens to them when upstream throws, before the error is thrown.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The debounced elements, with the errors of upstream.
  public func debounced<Key: Hashable & Sendable>(
    for wait: Duration, by key: @escaping @Sendable (Element) -> Key, edges: Edges = .trailing,
    maximumWait: Duration? = nil, keeping keep: Keep<Element> = .latest,
    limit: KeyLimit = .flushEarliest(above: 1000), atEnd: Finish = .deliver,
    onError: Finish = .discard, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> KeyedPacedSequence<Self> {
    KeyedPacedSequence(
      Upstream(base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock),
      through: DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), by: key,
      rules: KeyedRules(keep: keep), limit: limit)
  }

  /// Throttles the elements of each key: delivers at once, then at most one in each interval.
  ///
  /// Use it for a stream of positions, levels or prices of many things.
  ///
  /// ```swift
  /// for await price in prices.throttled(every: .seconds(1), by: \.symbol) { show(price) }
  /// ```
  ///
  /// An interval of four steps; the letter is the key, and `A` is a newer element of `a`:
  ///
  ///     upstream   abA-----------
  ///     throttled  ab--A---------
  ///
  /// Timing, bounds and concurrency are those of `debounced(for:by:)`.
  ///
  /// - Parameters:
  ///   - interval: The least time between two deliveries of a key; zero or less delivers each
  ///     element at once.
  ///   - key: The key of an element, asked once for each.
  ///   - edges: The ends of an interval that are delivered.
  ///   - keep: The rule for elements of one key that come inside an interval.
  ///   - limit: The bound on the keys in use, and what happens to an element of one key more.
  ///   - atEnd: What happens to the kept elements when upstream ends.
  ///   - onError: What happens to them when upstream throws, before the error is thrown.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The throttled elements, with the errors of upstream.
  public func throttled<Key: Hashable & Sendable>(
    every interval: Duration, by key: @escaping @Sendable (Element) -> Key, edges: Edges = .both,
    keeping keep: Keep<Element> = .latest, limit: KeyLimit = .flushEarliest(above: 1000),
    atEnd: Finish = .deliver, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) -> KeyedPacedSequence<Self> {
    KeyedPacedSequence(
      Upstream(base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock),
      through: ThrottleState(interval: interval, edges: edges), by: key,
      rules: KeyedRules(keep: keep), limit: limit)
  }
}

extension KeyedRules {
  /// Rules for elements that bring their key along: all wait as long.
  fileprivate init<Element: Sendable>(keep: Keep<Element>) {
    self.init(wait: Optional<@Sendable (Int, Element) -> Duration?>.none, keep: keep)
  }
}
