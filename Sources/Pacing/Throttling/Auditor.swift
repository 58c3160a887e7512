/// Audits values: when one comes, waits for a while and delivers the newest of what came meanwhile.
///
/// Use it where something has changed and is worth a look soon, but not for each change: a badge, a
/// cache, a derived view. Use a `Throttler` where the first value must not wait, a `Debouncer` where the
/// end of a burst must be awaited.
///
///     let badge = Auditor<Int>(for: .milliseconds(200), on: .main) { count in show(count) }
///     badge.send(1)
///
/// A window of four steps:
///
///     sent       a-b-c-d-----e--------
///     delivered  ----b---d-------e----
///
/// ## Timing
/// The first value after idle opens a window; at its end the newest value is delivered, and the auditor
/// is idle. What is due at an instant is delivered before a value of the same instant is taken. A window
/// of zero or less delivers each value at once.
///
/// ## Concurrency
/// All methods may be called from any thread, and from inside the handler: a value that is sent there
/// comes after the one that is being delivered. One handler runs at a time, never on the caller's
/// stack; while it runs, what falls due is held and newer values take its place. Dropping the last
/// reference drops what is pending, lets what was decided run, and ends the streams.
public final class Auditor<Value: Sendable>: Sendable {
  let pacer: Pacer<Holding<AuditState, Value>>

  private init(
    _ timing: AuditState, tolerance: Duration, clock: some PacingClock, handler: Handler<Value>?
  ) {
    pacer = Pacer(Holding(timing), handler: handler, tolerance: tolerance, clock: clock)
  }

  /// Makes an auditor whose handler runs on the library's own threads, or on a queue of yours.
  ///
  /// - Parameters:
  ///   - window: How long after the first value the newest is delivered.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the auditor follows.
  ///   - handler: What is done with a value.
  public convenience init(
    for window: Duration, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: some PacingClock = .dispatch, handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      AuditState(window: window), tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, handler))
  }

  /// Makes an auditor whose handler runs on the main actor.
  ///
  /// - Parameters:
  ///   - window: How long after the first value the newest is delivered.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the auditor follows.
  ///   - handler: What is done with a value.
  public convenience init(
    for window: Duration, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: some PacingClock = .dispatch, handler: @escaping @MainActor (Value) -> Void
  ) {
    self.init(
      AuditState(window: window), tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, handler))
  }

  /// Makes an auditor without a handler: its values come out of `ticks()`.
  ///
  /// - Parameters:
  ///   - window: How long after the first value the newest is delivered.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the auditor follows.
  public convenience init(
    for window: Duration, tolerance: Duration = .zero,
    clock: some PacingClock = .dispatch
  ) {
    self.init(
      AuditState(window: window), tolerance: tolerance, clock: clock,
      handler: nil)
  }

  deinit {
    pacer.abandon()
  }

  /// Takes a value; after `finish(_:)` it is dropped.
  public func send(_ value: Value) { pacer.send(value) }

  /// Delivers the newest value now, where the handler always runs; the auditor is idle then.
  ///
  /// - Returns: Whether there was one; where there was none, nothing happens.
  @discardableResult
  public func flush() -> Bool { pacer.flush() }

  /// Withdraws every value whose handler has not begun; the auditor is idle then.
  ///
  /// - Returns: The newest value withdrawn, nil where there was none. It will not be delivered.
  @discardableResult
  public func cancel() -> Value? { pacer.withdraw().last }

  /// Takes no more values: one that is held is delivered at the window's end, and then the streams end.
  public func finish(_ finish: Finish = .deliver) { pacer.finish(finish) }

  /// Whether a value will still be delivered.
  public var isPending: Bool { pacer.isPending() }

  /// The newest value that will still be delivered, nil where there is none.
  public var pending: Value? { pacer.pending() }

  /// How long until the pending value is due; zero where it is overdue, nil where none is waited for.
  public var timeRemaining: Duration? { pacer.timeRemaining() }

  /// The values as a stream, from now on: each call is a subscription of its own.
  ///
  /// A consumer that is slow finds the newest value; the stream keeps one and never more. It ends
  /// after `finish(_:)`, and when the auditor is dropped, which the stream does not prevent.
  /// Cancelling the task or letting go of the stream ends the subscription at once; leaving the
  /// loop does where nothing else holds the stream.
  public func ticks() -> AsyncStream<Value> { pacer.ticks() }

  /// Flushes, and returns when the handler of all that was due has ended.
  ///
  /// - Returns: What `flush()` returns.
  @discardableResult
  public func flushAndWait() async -> Bool { await pacer.flushAndWait() }

  /// Cancels, and returns when a handler that was running has ended.
  ///
  /// - Returns: What `cancel()` returns: the newest value withdrawn.
  @discardableResult
  public func cancelAndWait() async -> Value? { await pacer.cancelAndWait() }
}

extension Auditor where Value == Void {
  /// Takes an event that carries nothing.
  public func send() { pacer.send(()) }
}
