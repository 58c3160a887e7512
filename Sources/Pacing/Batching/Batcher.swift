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
/// As for every ``PacingTool`` and ``DeliveringTool``, which declare the other verbs. Batches that
/// close while the handler runs, or behind a slow stream, wait in FIFO order and are never merged:
/// they accumulate without bound, unless the limit has one, `maximumPendingBatches`.
public final class Batcher<Element: Sendable>: PacedTool, DeliveringTool {
  let pacer: BatchPacer
  private let weigh: (@Sendable (Element) -> Int)?

  /// Creates a batcher; `handle` attaches a handler to it.
  ///
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: A closure that returns the weight of an element, called once per element, on the
  ///     sender's thread; nil for a weight of 1. A negative weight counts as zero.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - clock: The batcher's clock.
  public init(
    _ limit: BatchLimit, weigh: (@Sendable (Element) -> Int)? = nil, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) {
    self.weigh = weigh
    pacer = BatchPacer(limit, tolerance: tolerance, service: clock.service)
  }

  /// Creates a batcher with a handler that runs on the library's threads.
  public convenience init(
    _ limit: BatchLimit, weigh: (@Sendable (Element) -> Int)? = nil, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch, handler: @escaping @Sendable ([Element]) -> Void
  ) {
    self.init(limit, weigh: weigh, tolerance: tolerance, clock: clock)
    handle(handler)
  }

  /// Creates a batcher whose ``BatchLimit`` has a maximum number of elements and a maximum delay.
  ///
  /// - Precondition: `maximumCount` is positive.
  public convenience init(
    maximumCount: Int, maximumDelay: Duration, clock: any Clock<Duration> = .dispatch
  ) {
    self.init(BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), clock: clock)
  }

  /// Creates a batcher with limits on the number of elements and the delay, and a handler that runs
  /// on the library's threads.
  public convenience init(
    maximumCount: Int, maximumDelay: Duration, clock: any Clock<Duration> = .dispatch,
    handler: @escaping @Sendable ([Element]) -> Void
  ) {
    self.init(maximumCount: maximumCount, maximumDelay: maximumDelay, clock: clock)
    handle(handler)
  }

  deinit { pacer.abandon() }

  /// Takes an element; drops it after `finish(_:)`.
  ///
  /// - Complexity: Amortised O(1).
  public func send(_ element: Element) {
    let weight = weigh.map { $0(element) } ?? 1
    pacer.send(AnyValue(element), weight: weight)
  }

  /// Withdraws the elements whose handler has not begun, from streams too; returns them in order.
  @discardableResult
  public func cancel() -> [Element] { elements(of: pacer.withdrawAll().flatMap { $0 }) }

  /// The elements that will still be delivered, in order.
  public var pending: [Element] {
    elements(of: pacer.read { $0.undelivered.flatMap { $0 } + $0.state.held })
  }

  /// Attaches a handler that a form of `handle` has made.
  public func attach(_ handler: Handler<[Element]>) { pacer.attach(handler.of(elements)) }

  /// The batches as a stream, all of them in order; each call is a separate subscription.
  public func ticks() -> AsyncStream<[Element]> { pacer.consumer().ticks(of: elements) }

  /// Sets a closure that is called with the elements that are not delivered, and the reason.
  public func onDrop(_ observer: @escaping @Sendable ([Element], DropReason) -> Void) {
    pacer.observeDrops { observer(elements(of: $0), $1) }
  }
}

@Sendable
private func elements<Element>(of batch: [AnyValue]) -> [Element] { batch.map { $0.get() } }

final class BatchPacer: Pacer<BatchState>, ToolPacer, @unchecked Sendable {
  init(_ limit: BatchLimit, tolerance: Duration, service: TimerService) {
    super.init(
      BatchState(limit, start: service.now), tolerance: tolerance, service: service)
  }

  var pacer: Pacer<BatchState> { self }

  override func wake(_ handle: TimerService.Handle) { super.wake(handle) }
  override func deliver() { super.deliver() }
  override func start(_ run: HandlerRun) -> Started? { super.start(run) }

  func send(_ element: AnyValue, weight: Int) {
    let now = enter()
    let result = queue.state.send(element, weight: weight, at: now)
    if case .dropped(let reason) = result { queue.report([element], reason) }
    // Even while nothing is due, such as after `suspend()`, there may be a batch too many.
    settle(at: now)
  }
}
