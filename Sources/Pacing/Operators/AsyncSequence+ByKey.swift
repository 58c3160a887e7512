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
  /// For each key as in a ``KeyedDebouncer``, counted from the arrival of its elements. A slow
  /// consumer receives the newest element of each key. Keys in use are bounded, and so is what
  /// waits for the consumer: while elements of as many keys wait, upstream is not read.
  ///
  /// `key` is called once for each element. At most `maximumKeys` keys have a pending element or an
  /// open window; `whenFull` specifies what happens to an element of one more, as for a
  /// ``KeyedPacingTool``. The other parameters are those of `debounced(for:)`.
  public func debounced<Key: Hashable & Sendable>(
    for wait: Duration, by key: @escaping @Sendable (Element) -> Key, edges: Edges = .trailing,
    maximumWait: Duration? = nil, keeping keep: Keep<Element> = .latest,
    varying rule: (@Sendable (Element) -> Duration?)? = nil,
    maximumKeys: Int = 1000, whenFull: WhenFull = .makeRoom,
    atEnd: Finish? = nil, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, Failure> {
    Upstream(self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(
        by: .debounce(wait, maximumWait: maximumWait, edges: edges), for: key, keeping: keep,
        varying: rule, maximumKeys: maximumKeys, whenFull: whenFull)
  }

  /// Throttles the elements of each key: delivers at once, then at most one in each interval.
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
  /// Each key is throttled as by `throttled(every:)`, with the same parameters; bounds and
  /// concurrency are those of `debounced(for:by:)`.
  public func throttled<Key: Hashable & Sendable>(
    every interval: Duration, by key: @escaping @Sendable (Element) -> Key, edges: Edges = .both,
    keeping keep: Keep<Element> = .latest,
    varying rule: (@Sendable (Element) -> Duration?)? = nil,
    maximumKeys: Int = 1000, whenFull: WhenFull = .makeRoom,
    atEnd: Finish? = nil, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, Failure> {
    Upstream(self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(
        by: .throttle(interval, edges: edges), for: key, keeping: keep, varying: rule,
        maximumKeys: maximumKeys, whenFull: whenFull)
  }

  /// Audits the elements of each key: the first opens a window, at whose end the newest is
  /// delivered.
  ///
  /// ```swift
  /// for await count in counts.audited(for: .seconds(1), by: \.folder) { show(count) }
  /// ```
  ///
  /// A window of four steps; the letter is the key, and `A` is a newer element of `a`:
  ///
  ///     upstream   abA-----------
  ///     audited    ----Ab--------
  ///
  /// Each key is audited as by `audited(for:)`, with the same parameters; bounds and concurrency
  /// are those of `debounced(for:by:)`.
  public func audited<Key: Hashable & Sendable>(
    for window: Duration, by key: @escaping @Sendable (Element) -> Key,
    varying rule: (@Sendable (Element) -> Duration?)? = nil,
    maximumKeys: Int = 1000, whenFull: WhenFull = .makeRoom,
    atEnd: Finish? = nil, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, Failure> {
    Upstream(self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(
        by: .audit(window), for: key, varying: rule, maximumKeys: maximumKeys, whenFull: whenFull)
  }

  /// Samples the elements of each key: delivers the newest at each tick, if one has come since the
  /// last.
  ///
  /// ```swift
  /// for await load in loads.sampled(every: .seconds(1), by: \.host) { charts.append(load) }
  /// ```
  ///
  /// A tick at every fourth step; the letter is the key, and `A` is a newer element of `a`:
  ///
  ///     upstream   abA--b--------
  ///     sampled    ----(bA)---b-----
  ///
  /// Each key is sampled as by `sampled(every:)`, with the same parameters, and all of them on one
  /// grid; bounds and concurrency are those of `debounced(for:by:)`.
  ///
  /// - Precondition: `period` is positive.
  public func sampled<Key: Hashable & Sendable>(
    every period: Duration, by key: @escaping @Sendable (Element) -> Key,
    maximumKeys: Int = 1000, whenFull: WhenFull = .makeRoom,
    atEnd: Finish? = nil, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, Failure> {
    ConfigurationError.require(period > .zero, "every", period, must: "be positive")
    let upstream = Upstream(
      self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
    return upstream.paced(
      by: .sample(every: period, start: upstream.service.now), for: key, maximumKeys: maximumKeys,
      whenFull: whenFull)
  }
}
