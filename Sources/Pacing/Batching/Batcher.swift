/// Collects elements into batches by number, weight or time, whichever limit is reached first.
///
/// Use it for many small things that are cheaper to handle together: rows to insert, lines to send,
/// events to upload. Elements are never merged; use a ``Debouncer`` or a ``Throttler`` if only the
/// newest matters.
///
/// ```swift
/// let rows = Batcher<Row>(maximumCount: 500, maximumDelay: .milliseconds(50)) { insert($0) }
/// rows.send(row)
/// ```
///
/// At most three elements, at most four steps after the first; digits are batch sizes:
///
///     sent       a-b-----cdef---------
///     batches    ----2-----3----1-----
///
/// ## Timing
/// A batch closes when it is full, when its time is over, or when it is flushed; it is never empty,
/// except on a grid that includes empty ones. The delay counts from the *first* element, so a
/// trickle is delivered in time. An element sent at the instant a batch is due counts as arriving
/// after that batch.
///
/// ## Concurrency
/// Thread-safe and re-entrant: any thread may call any method, and so may the handler. One handler
/// runs at a time, never on the caller's stack, unless an async one has another ``Overlap``;
/// batches that close meanwhile wait in FIFO order and are never merged. With a handler slower than
/// its input they accumulate without bound, unless the limit has one, `maximumPendingBatches`.
/// Releasing the last reference drops held elements, lets decided batches run, and ends the
/// streams.
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

  /// The elements of a type-erased batch.
  @Sendable
  static func elements(of batch: [AnyValue]) -> [Element] { batch.map { $0.get() } }

  /// The tool's handler slot, for the library only.
  public var _handlerSlot: _HandlerSlot<[Element]> {
    _HandlerSlot(pacer, showing: Self.elements)
  }

  // MARK: Verbs

  /// Takes an element; drops it after `finish(_:)` or while the batcher is disabled.
  ///
  /// - Complexity: Amortised O(1).
  public func send(_ element: Element) {
    let weight = weigh(element)
    let element = AnyValue(element)
    let result = update { $0.send(element, weight: weight, at: $1) }
    if let reason = result.dropReason { pacer.report([element], reason) }
  }

  /// Closes the open batch and delivers everything held; the handler runs where it always does.
  ///
  /// - Returns: Whether anything was held; if not, this is a no-op.
  @discardableResult
  public func flush() -> Bool { update { $0.flush(at: $1) } }

  /// Withdraws every element whose handler has not begun, in open and closed batches.
  ///
  /// - Returns: The elements, in order. None of them is delivered.
  @discardableResult
  public func cancel() -> [Element] { Self.elements(of: pacer.withdrawAll().flatMap { $0 }) }

  /// Stops taking elements, and ends the streams once those held are delivered or dropped.
  ///
  /// - Parameter finish: `.discard` drops what is held; otherwise it is delivered at once. On a
  ///   grid that includes empty batches, the last batch is delivered even if it is empty.
  public func finish(_ finish: Finish = .deliver) {
    let dropped = update { $0.finish(finish, at: $1) }
    if let dropped { pacer.report(dropped, .finished) }
  }

  /// Suspends deliveries: batches close as usual and wait for `resume()`.
  ///
  /// `flush()` and `finish(_:)` deliver as usual. Suspending a suspended batcher is a no-op.
  public func suspend() { pacer.isSuspended = true }

  /// Resumes deliveries, and delivers the closed batches.
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
  public var isPending: Bool { pacer.isPending { $0.isPending } }

  /// The elements that will still be delivered, in order.
  public var pending: [Element] {
    Self.elements(of: pacer.read { state, decided in decided.flatMap { $0.output } + state.held })
  }

  /// The time until a batch closes; zero if that is overdue, nil if none will close by time.
  public var timeRemaining: Duration? { pacer.read { $0.closesAt }.wait(from: pacer.service.now) }

  /// Whether elements are taken.
  ///
  /// Setting it to false drops the held elements, with the reason `.disabled`. Elements sent while
  /// it is false are dropped too.
  public var isEnabled: Bool {
    get { pacer.isEnabled }
    set { pacer.isEnabled = newValue }
  }

  /// The counts of all elements sent, by outcome.
  public var statistics: DeliveryStatistics {
    pacer.read { state, decided in state.statistics(decided: decided.lazy.map { $0.output }) }
  }

  /// Sets an observer of drops and their reasons; elements that `cancel()` returns count as
  /// dropped.
  ///
  /// - Parameter observer: Called on the library's threads, possibly concurrently. It replaces an
  ///   earlier one.
  public func onDrop(_ observer: @escaping @Sendable ([Element], DropReason) -> Void) {
    pacer.observeDrops { observer(Self.elements(of: $0), $1) }
  }

  /// The batches as a stream, from now on; each call is a separate subscription.
  ///
  /// A slow consumer receives every batch, in order. The stream ends after `finish(_:)` or when the
  /// batcher is released, which the stream does not prevent. Cancelling the task or releasing the
  /// stream ends the subscription at once; leaving the loop ends it if nothing else retains the
  /// stream.
  public func ticks() -> AsyncStream<[Element]> { pacer.ticks(of: Self.elements) }

  // MARK: Waiting

  /// Flushes, and returns once the handlers of everything held, decided or running have ended;
  /// elements sent meanwhile do not prolong the wait.
  ///
  /// - Returns: The result of `flush()`.
  /// - Precondition: The caller is not the batcher's own async handler, which it would wait for.
  @discardableResult
  public func flushAndWait() async -> Bool {
    await pacer.flushAndWait {
      $0.flush(at: $1)
    } excess: {
      $0.takeExcess()
    }
  }

  /// Cancels, and returns once the running handlers have ended.
  ///
  /// - Returns: The elements withdrawn, as from `cancel()`.
  /// - Precondition: The caller is not the batcher's own async handler, which it would wait for.
  @discardableResult
  public func cancelAndWait() async -> [Element] {
    let withdrawn = cancel()
    await pacer.waitForHandler()
    return withdrawn
  }
}
