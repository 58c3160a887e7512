/// Collects elements into batches: by number, by weight, by time, whichever comes first.
///
/// Use it where many small things are cheaper done together: rows to insert, lines to send, events to
/// upload. No element is lost: use a `Debouncer` or a `Throttler` where only the newest matters.
///
/// ```swift
/// let rows = Batcher<Row>(maximumCount: 500, maximumDelay: .milliseconds(50)) { rows in insert(rows) }
/// rows.send(row)
/// ```
///
/// At most three, at most four steps after the first:
///
///     sent       a-b-----cdef---------
///     batches    ----1-----2----3-----   1: a b, 2: c d e, 3: f
///
/// ## Timing
/// A batch closes when it is full, when its time is over, or when it is flushed; it is never empty,
/// unless a grid with empty ones was asked for. The delay counts from the *first* element, so a trickle
/// is delivered in time. What is due at an instant closes before an element of the same instant is taken.
///
/// ## Concurrency
/// All methods may be called from any thread, and from inside the handler. One handler runs at a time,
/// never on the caller's stack; batches that close meanwhile wait, first in, first out, and are never
/// merged, so a handler that is slower than its input lets them grow. Dropping the last reference drops
/// what is held, lets what was decided run, and ends the streams.
public final class Batcher<Element: Sendable>: Sendable {
  private let pacer: Pacer<BatchState<Element>>
  private let weigh: @Sendable (Element) -> Int

  private init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int, tolerance: Duration,
    clock: some PacingClock, handler: Handler<[Element]>?
  ) {
    self.weigh = weigh
    pacer = Pacer(
      BatchState(limit, start: clock.now), handler: handler, tolerance: tolerance, clock: clock)
  }

  /// Makes a batcher whose handler runs on the library's own threads, or on a queue of yours.
  ///
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: What an element weighs, asked once on the sender's thread; negative counts as nothing.
  ///   - tolerance: How much later time may close a batch, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the batcher follows.
  ///   - handler: What is done with a batch.
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: some PacingClock = .dispatch, handler: @escaping @Sendable ([Element]) -> Void
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, handler))
  }

  /// Makes a batcher whose handler runs on the main actor.
  ///
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: What an element weighs, asked once on the sender's thread; negative counts as nothing.
  ///   - tolerance: How much later time may close a batch, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the batcher follows.
  ///   - handler: What is done with a batch.
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: some PacingClock = .dispatch, handler: @escaping @MainActor ([Element]) -> Void
  ) {
    self.init(
      limit, weigh: weigh, tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, handler))
  }

  /// Makes a batcher without a handler: its batches come out of `ticks()`.
  ///
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: What an element weighs, asked once on the sender's thread; negative counts as nothing.
  ///   - tolerance: How much later time may close a batch, so that timers can share a wake.
  ///   - clock: The clock that the batcher follows.
  public convenience init(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    tolerance: Duration = .zero, clock: some PacingClock = .dispatch
  ) {
    self.init(limit, weigh: weigh, tolerance: tolerance, clock: clock, handler: nil)
  }

  /// Makes a batcher by number and time, the usual one.
  ///
  /// - Parameters:
  ///   - maximumCount: How many elements a batch has at most.
  ///   - maximumDelay: How long after its first element a batch closes.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the batcher follows.
  ///   - handler: What is done with a batch.
  /// - Precondition: `maximumCount` is positive.
  public convenience init(
    maximumCount: Int, maximumDelay: Duration, on delivery: Delivery = .shared,
    clock: some PacingClock = .dispatch, handler: @escaping @Sendable ([Element]) -> Void
  ) {
    self.init(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), on: delivery,
      clock: clock, handler: handler)
  }

  deinit {
    pacer.abandon()
  }

  /// Takes an element; after `finish(_:)` it is dropped.
  public func send(_ element: Element) {
    let weight = weigh(element)
    pacer.update { $0.send(element, weight: weight, at: $1) }
  }

  /// Closes the open batch and delivers all that is held, where the handler always runs.
  ///
  /// - Returns: Whether anything was held; where nothing was, nothing happens.
  @discardableResult
  public func flush() -> Bool { pacer.update { $0.flush(at: $1) } }

  /// Withdraws every element whose handler has not begun, in open and closed batches.
  ///
  /// - Returns: The elements, in order. They will not be delivered.
  @discardableResult
  public func cancel() -> [Element] { pacer.withdraw().flatMap(\.self) }

  /// Takes no more elements: what is held is delivered at once, and then the streams end.
  public func finish(_ finish: Finish = .deliver) {
    _ = pacer.update { $0.finish(finish, at: $1) }
  }

  /// Whether an element will still be delivered.
  public var isPending: Bool { pacer.isPending(\.isPending) }

  /// The batches as a stream, from now on: each call is a subscription of its own.
  ///
  /// All batches are kept for a consumer that is slow, in order. The stream ends after `finish(_:)`, and
  /// when the batcher is dropped, which the stream does not prevent.
  /// Cancelling the task or letting go of the stream ends the subscription at once; leaving the
  /// loop does where nothing else holds the stream.
  public func ticks() -> AsyncStream<[Element]> { pacer.ticks() }

  /// Flushes, and returns when the handler of all that was due has ended.
  ///
  /// - Returns: What `flush()` returns.
  @discardableResult
  public func flushAndWait() async -> Bool {
    let flushed = flush()
    await pacer.waitForDeliveries()
    return flushed
  }

  /// Cancels, and returns when a handler that was running has ended.
  ///
  /// - Returns: What `cancel()` returns: the elements withdrawn.
  @discardableResult
  public func cancelAndWait() async -> [Element] {
    let withdrawn = cancel()
    await pacer.waitForHandler()
    return withdrawn
  }
}
