/// Collects elements into batches: by number, by weight, by time, whichever comes first.
///
/// Use it where many small things are cheaper done together: rows to insert, lines to send, events
/// to upload. No element is lost: use a `Debouncer` or a `Throttler` where only the newest matters.
///
/// ```swift
/// let rows = Batcher<Row>(maximumCount: 500, maximumDelay: .milliseconds(50)) { insert($0) }
/// rows.send(row)
/// ```
///
/// At most three, at most four steps after the first; drawn is how many a batch has:
///
///     sent       a-b-----cdef---------
///     batches    ----2-----3----1-----
///
/// ## Timing
/// A batch closes when it is full, when its time is over, or when it is flushed; it is never empty,
/// unless a grid with empty ones was asked for. The delay counts from the *first* element, so a
/// trickle is delivered in time. What is due at an instant closes before an element of the same
/// instant is taken.
///
/// ## Concurrency
/// All methods may be called from any thread, and from inside the handler. One handler runs at a
/// time, never on the caller's stack, unless an async one was given another ``Overlap``; batches
/// that close meanwhile wait, first in, first out, and are never merged. A handler that is slower
/// than its input lets them grow, unless the limit has a bound: `holding(atMost:)`. Dropping the
/// last reference drops what is held, lets what was decided run, and ends the streams.
public final class Batcher<Element: Sendable>: DeliveringTool {
  private let pacer: Pacer<BatchState<AnyValue>>
  private let weigh: @Sendable (Element) -> Int

  init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int, tolerance: Duration,
    clock: any PacingClock, handler: Handler<[AnyValue]>?
  ) {
    self.weigh = weigh
    pacer = Pacer(
      BatchState(limit, start: clock.now), handler: handler, tolerance: tolerance, clock: clock)
  }

  deinit {
    pacer.abandon()
  }

  /// The elements of a batch whose type is not known.
  @Sendable
  static func elements(of batch: [AnyValue]) -> [Element] { batch.map { $0.get() } }

  /// The place of the batcher's handler.
  public var _handlerSlot: _HandlerSlot<[Element]> {
    _HandlerSlot(pacer, showing: Self.elements)
  }

  // MARK: Verbs

  /// Takes an element; after `finish(_:)`, or while the batcher is not enabled, it is dropped.
  ///
  /// - Complexity: O(1) on the average.
  public func send(_ element: Element) {
    let weight = weigh(element)
    let element = AnyValue(element)
    let result = update { $0.send(element, weight: weight, at: $1) }
    if let reason = result.dropReason { pacer.report([element], reason) }
  }

  /// Closes the open batch and delivers all that is held, where the handler always runs.
  ///
  /// - Returns: Whether anything was held; where nothing was, nothing happens.
  @discardableResult
  public func flush() -> Bool { update { $0.flush(at: $1) } }

  /// Withdraws every element whose handler has not begun, in open and closed batches.
  ///
  /// - Returns: The elements, in order. They will not be delivered.
  @discardableResult
  public func cancel() -> [Element] { Self.elements(of: pacer.withdraw().flatMap(\.self)) }

  /// Takes no more elements, and ends the streams when what is held has been delivered or dropped.
  ///
  /// - Parameter finish: `.discard` drops what is held; otherwise it is delivered at once, on a
  ///   grid with empty batches an empty one too.
  public func finish(_ finish: Finish = .deliver) {
    let dropped = update { $0.finish(finish, at: $1) }
    if let dropped { pacer.report(dropped, .finished) }
  }

  /// Suspends deliveries: batches close as usual, and wait for `resume()`.
  ///
  /// `flush()` and `finish(_:)` deliver as usual. Suspending a suspended batcher is a no-op.
  public func suspend() { pacer.isSuspended = true }

  /// Resumes deliveries, and delivers the batches that have closed.
  public func resume() { pacer.isSuspended = false }

  /// Whether deliveries are suspended.
  public var isSuspended: Bool { pacer.isSuspended }

  @inline(__always)
  private func update<Result: Sendable>(
    _ change: (inout BatchState<AnyValue>, PacingInstant) -> Result
  ) -> Result {
    pacer.update(change) { $0.takeExcess() }
  }

  // MARK: Queries

  /// Whether an element will still be delivered.
  public var isPending: Bool { pacer.isPending(\.isPending) }

  /// The elements that will still be delivered, in order.
  public var pending: [Element] {
    Self.elements(of: pacer.read { state, decided in decided.flatMap(\.output) + state.held })
  }

  /// How long until time closes a batch; zero where that is overdue, nil where time closes none.
  public var timeRemaining: Duration? { pacer.timeRemaining(until: pacer.read(\.deadline)) }

  /// Whether elements are taken.
  ///
  /// Setting it to false drops the elements that are held, with the reason `.disabled`. Elements
  /// sent while it is false are dropped too.
  public var isEnabled: Bool {
    get { pacer.isEnabled }
    set { pacer.isEnabled = newValue }
  }

  /// What has become of all the elements that were sent.
  public var statistics: DeliveryStatistics {
    pacer.read { state, decided in state.statistics(decided: decided.lazy.map(\.output)) }
  }

  /// Has a closure told of elements that are dropped, and why; also of those that `cancel()`
  /// returns.
  ///
  /// - Parameter observer: Called on the library's own threads, by several of them at a time. It
  ///   takes the place of an earlier one.
  public func onDrop(_ observer: @escaping @Sendable ([Element], DropReason) -> Void) {
    pacer.observeDrops { observer(Self.elements(of: $0), $1) }
  }

  /// The batches as a stream, from now on: each call is a subscription of its own.
  ///
  /// All batches are kept for a consumer that is slow, in order. The stream ends after
  /// `finish(_:)`, and when the batcher is dropped, which the stream does not prevent. Cancelling
  /// the task or letting go of the stream ends the subscription at once; leaving the loop does
  /// where nothing else holds the stream.
  public func ticks() -> AsyncStream<[Element]> { pacer.ticks(of: Self.elements) }

  // MARK: Waiting

  /// Flushes, and returns when the handlers of everything that was held, decided or running have
  /// ended, whatever is sent meanwhile.
  ///
  /// - Returns: What `flush()` returns.
  /// - Precondition: It is not called by the batcher's own async handler, which it would wait for.
  @discardableResult
  public func flushAndWait() async -> Bool { await pacer.flushAndWait { $0.flush(at: $1) } }

  /// Cancels, and returns when the handlers that were running have ended.
  ///
  /// - Returns: What `cancel()` returns: the elements withdrawn.
  /// - Precondition: It is not called by the batcher's own async handler, which it would wait for.
  @discardableResult
  public func cancelAndWait() async -> [Element] {
    let withdrawn = cancel()
    await pacer.waitForHandler()
    return withdrawn
  }
}
