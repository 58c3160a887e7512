extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Passes the elements on, and throws a ``TimeoutError`` if the next one takes too long.
  ///
  /// Use it for a source that should never be silent: a heartbeat, a subscription, a download.
  ///
  /// ```swift
  /// for try await beat in heartbeats.timeout(after: .seconds(10)) { lastSeen = beat }
  /// ```
  ///
  /// A limit of four steps:
  ///
  ///     upstream   a--b-------c
  ///     timeout    a--b---#----
  ///
  /// ## Timing
  /// Time runs from the start or the previous element; an element, or the end, that comes exactly
  /// at the limit is too late. Elements that came in time are delivered before the error. While two
  /// wait for a slow consumer, upstream is not read and no time runs.
  ///
  /// ## Concurrency
  /// See ``PacedIterator``. Upstream is released at the timeout, not when the consumer asks.
  ///
  /// `limit` may be nil: later elements may take any time. `first` is the limit of the first
  /// element, nil for `limit`; `tolerance` is the maximum extra delay of the error.
  public func timeout(
    after limit: Duration? = nil, first: Duration? = nil, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<Element, any Error> {
    let upstream = Upstream(self, tolerance: tolerance, clock: clock)
    let each = limit ?? Duration.nanoseconds(Nanoseconds.never)
    let state = TimeoutState(first: first ?? each, each: each)
    return PacedSequence {
      let relay = Relay<Element, any Error>(Mailbox(.all))
      let watch = Pacer(state, tolerance: tolerance, service: upstream.service)
      watch.attach(Handler(Callback(on: .shared) { relay.end(throwing: $0) }))
      watch.update { $0.ask(at: $1) }
      upstream.read(in: relay) { element in
        // Nil if the element is in time: what is due is decided before it.
        if let failure = watch.update({ state, _ in state.answer() }) {
          relay.end(throwing: failure)
          return false
        }
        relay.offer(element)
        await relay.waitForRoom(2)
        return true
      } goOn: {
        watch.update { $0.ask(at: $1) }
      } end: { failure in
        relay.end(throwing: watch.update { state, _ in state.stop() } ?? failure)
      }
      return PacedIterator(relay, showing: { $0 }) {
        watch.overrule { state, _ in _ = state.cancel() }
      }
    }
  }
}
