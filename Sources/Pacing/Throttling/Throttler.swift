/// Throttles values: delivers at most one in each window of time, while they keep coming.
///
/// Use it for progress, scrolling, polling: where a regular share of the values is wanted. Use a
/// `Debouncer` where only the end of a burst matters, a `TokenBucket` where no value may be lost.
///
///     let save = Throttler<Document>(every: .seconds(1)) { document in write(document) }
///     save.send(document)
///
/// A window of four steps, with both edges (the default), the leading and the trailing one alone:
///
///     sent       a-b-c-d-----e--------
///     both       a---b---d---e--------
///     leading    a---c-------e--------
///     trailing   ----b---d-------e----
///
/// ## Timing
/// Every delivery, leading or trailing, opens a window when it is decided; what was kept inside it is
/// delivered at its end and opens the next. Two decisions are never closer than `interval`, unless
/// `flush()`, `reset()` or `finish(.atOnce)` asked for it. What is due at an instant is delivered before
/// a value of the same instant is taken. An interval of zero or less delivers each value at once.
///
/// ## Concurrency
/// All methods may be called from any thread, and from inside the handler: a value that is sent there
/// comes after the one that is being delivered. One handler runs at a time, never on the caller's
/// stack; while it runs, what falls due is held and newer values take its place. Dropping the last
/// reference drops what is pending, lets what was decided run, and ends the streams.
public final class Throttler<Value: Sendable>: Sendable {
  let pacer: Pacer<Holding<ThrottleState, Value>>

  private init(
    _ timing: ThrottleState, tolerance: Duration, clock: some PacingClock,
    handler: Handler<Value>?
  ) {
    pacer = Pacer(Holding(timing), handler: handler, tolerance: tolerance, clock: clock)
  }

  /// Makes a throttler whose handler runs on the library's own threads, or on a queue of yours.
  ///
  /// - Parameters:
  ///   - interval: How long a window is.
  ///   - edges: Which end of a window is delivered.
  ///   - keep: Which of the values inside a window is delivered at its end.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the throttler follows.
  ///   - handler: What is done with a value.
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep = .latest,
    tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: some PacingClock = .dispatch, handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges, keeping: keep), tolerance: tolerance,
      clock: clock, handler: Handler(on: delivery, handler))
  }

  /// Makes a throttler whose handler runs on the main actor.
  ///
  /// - Parameters:
  ///   - interval: How long a window is.
  ///   - edges: Which end of a window is delivered.
  ///   - keep: Which of the values inside a window is delivered at its end.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the throttler follows.
  ///   - handler: What is done with a value.
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep = .latest,
    tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: some PacingClock = .dispatch, handler: @escaping @MainActor (Value) -> Void
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges, keeping: keep), tolerance: tolerance,
      clock: clock, handler: Handler(on: delivery, handler))
  }

  /// Makes a throttler without a handler: its values come out of `ticks()`.
  ///
  /// - Parameters:
  ///   - interval: How long a window is.
  ///   - edges: Which end of a window is delivered.
  ///   - keep: Which of the values inside a window is delivered at its end.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the throttler follows.
  public convenience init(
    every interval: Duration, edges: Edges = .both, keeping keep: Keep = .latest,
    tolerance: Duration = .zero, clock: some PacingClock = .dispatch
  ) {
    self.init(
      ThrottleState(interval: interval, edges: edges, keeping: keep), tolerance: tolerance,
      clock: clock, handler: nil)
  }

  deinit {
    pacer.abandon()
  }

  /// Takes a value; after `finish(_:)` it is dropped.
  public func send(_ value: Value) { pacer.send(value) }

  /// Delivers the kept value now, where the handler always runs, and opens a new window.
  ///
  /// - Returns: Whether a value was kept; where none was, nothing happens.
  @discardableResult
  public func flush() -> Bool { pacer.flush() }

  /// Withdraws every value whose handler has not begun; the window stays, and with it the spacing.
  ///
  /// - Returns: The newest value withdrawn, nil where there was none. It will not be delivered.
  @discardableResult
  public func cancel() -> Value? { pacer.withdraw().last }

  /// Withdraws every value whose handler has not begun, and closes the window.
  ///
  /// - Returns: The newest value withdrawn, nil where there was none. It will not be delivered.
  @discardableResult
  public func reset() -> Value? {
    pacer.withdraw { $0.withdraw { $0.reset() } }.last
  }

  /// Takes no more values: a kept one is delivered at the window's end, and then the streams end.
  public func finish(_ finish: Finish = .deliver) { pacer.finish(finish) }

  /// Whether a value will still be delivered.
  public var isPending: Bool { pacer.isPending() }

  /// The newest value that will still be delivered, nil where there is none.
  public var pending: Value? { pacer.pending() }

  /// How long until the pending value is due; zero where it is overdue, nil where none is waited for.
  public var timeRemaining: Duration? { pacer.timeRemaining() }
}

extension Throttler where Value == Void {
  /// Takes an event that carries nothing.
  public func send() { pacer.send(()) }
}
