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
  /// ## Concurrency
  /// See ``PacedIterator``. All keys share one timer and one task; a key takes memory while it has
  /// a pending element or an open window.
  ///
  /// - Parameters:
  ///   - wait: The quiet period; zero or less delivers each element at once.
  ///   - key: The key of an element, asked once for each.
  ///   - edges: The ends of a burst that are delivered.
  ///   - maximumWait: The longest that an element waits while others of its key keep coming; nil
  ///     for no limit.
  ///   - keep: The rule for elements of one key that come while one is pending.
  ///   - rule: The quiet period of a given element; nil for `wait`.
  ///   - keyLimit: The bound on the keys in use, and what happens to an element of one key more.
  ///   - atEnd: The fate of the pending elements when upstream ends.
  ///   - onError: Their fate when upstream throws, before the error is thrown.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The debounced elements, with the errors of upstream.
  public func debounced<Key: Hashable & Sendable>(
    for wait: Duration, by key: @escaping @Sendable (Element) -> Key, edges: Edges = .trailing,
    maximumWait: Duration? = nil, keeping keep: Keep<Element> = .latest,
    varying rule: (@Sendable (Element) -> Duration?)? = nil,
    keyLimit: KeyLimit = KeyLimit(maximumKeys: 1000, whenFull: .flushEarliest),
    atEnd: Finish = .deliver, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) -> PacedSequence<Element, Failure> {
    Upstream(base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(
        through: DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), by: key,
        keeping: keep, varying: rule, keyLimit: keyLimit)
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
  /// Each key is throttled as by `throttled(every:)`, with the same parameters; bounds and
  /// concurrency are those of `debounced(for:by:)`.
  public func throttled<Key: Hashable & Sendable>(
    every interval: Duration, by key: @escaping @Sendable (Element) -> Key, edges: Edges = .both,
    keeping keep: Keep<Element> = .latest,
    varying rule: (@Sendable (Element) -> Duration?)? = nil,
    keyLimit: KeyLimit = KeyLimit(maximumKeys: 1000, whenFull: .flushEarliest),
    atEnd: Finish = .deliver, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) -> PacedSequence<Element, Failure> {
    Upstream(base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(
        through: ThrottleState(interval: interval, edges: edges), by: key, keeping: keep,
        varying: rule, keyLimit: keyLimit)
  }

  /// Audits the elements of each key: the first opens a window, at whose end the newest is
  /// delivered.
  ///
  /// Use it if a change to one of many things is worth a look soon, but not at once: badges, cache
  /// entries, derived views.
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
    keyLimit: KeyLimit = KeyLimit(maximumKeys: 1000, whenFull: .flushEarliest),
    atEnd: Finish = .deliver, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) -> PacedSequence<Element, Failure> {
    Upstream(base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(through: AuditState(window: window), by: key, varying: rule, keyLimit: keyLimit)
  }

  /// Samples the elements of each key: delivers the newest at each tick, if one has come since the
  /// last.
  ///
  /// Use it if the time of a delivery must not depend on that of the elements: a chart of many
  /// hosts, a log line a second for each.
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
  /// - Precondition: `period` is positive; `TickSchedule(validating:)` checks one known only at run
  ///   time.
  public func sampled<Key: Hashable & Sendable>(
    every period: Duration, by key: @escaping @Sendable (Element) -> Key,
    keyLimit: KeyLimit = KeyLimit(maximumKeys: 1000, whenFull: .flushEarliest),
    atEnd: Finish = .discard, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) -> PacedSequence<Element, Failure> {
    let timing = SampleState(period: period, start: clock.now)
    return Upstream(base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
      .paced(through: timing.starting(at: clock.now), by: key, keyLimit: keyLimit)
  }
}

extension Upstream {
  /// The elements paced by a timing for each key, asked for when an iterator is made.
  fileprivate func paced<Key: Hashable & Sendable, Timing: ValueTiming>(
    through timing: @autoclosure @escaping @Sendable () -> Timing,
    by key: @escaping @Sendable (Base.Element) -> Key, keeping keep: Keep<Base.Element> = .latest,
    varying rule: (@Sendable (Base.Element) -> Duration?)? = nil, keyLimit: KeyLimit
  ) -> PacedSequence<Base.Element, Base.Failure> {
    let wait = rule.map { rule in { @Sendable (_: Key, element: Base.Element) in rule(element) } }
    let rules = KeyedRules(wait: wait, keep: keep)
    return PacedSequence {
      let pacing = KeyedPacing(
        timing(), rules: rules, keyLimit: keyLimit, tolerance: tolerance, clock: clock,
        handler: nil)
      return iterator(
        over: pacing.pacer.subscribe(), showing: { $0.value.get() }, room: keyLimit.maximumKeys
      ) { element in
        var value = AnyValue(element)
        pacing.send(&value, key: AnyKey(key(element)))
      } finish: {
        pacing.finish($0)
      } leave: {
        pacing.finish(.discard)
      }
    }
  }
}
