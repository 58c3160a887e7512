/// Samples values: looks at regular times, and delivers the newest value if there is a new one.
///
/// Use it where many things are shown or written in step: gauges, frames, a log line each second. Use a
/// `Throttler` where a value after a pause must not wait for the next tick.
///
///     let gauge = Sampler<Double>(every: .seconds(1)) { load in record(load) }
///     gauge.send(0.3)
///
/// A period of four steps:
///
///     sent       -a-b-c------d-e------
///     delivered  ----b---c-------e----
///
/// ## Timing
/// The ticks are `start + k * period`, counted from the sampler's making; nothing moves them, late timers
/// neither. A value of the very instant of a tick comes after it. A timer stands only for the next tick
/// with something to deliver.
///
/// ## Concurrency
/// All methods may be called from any thread, and from inside the handler: a value that is sent there
/// comes after the one that is being delivered. One handler runs at a time, never on the caller's
/// stack; while it runs, what falls due is held and newer values take its place. Dropping the last
/// reference drops what is pending, lets what was decided run, and ends the streams.
public final class Sampler<Value: Sendable>: Sendable {
  let pacer: Pacer<Holding<SampleState, Value>>

  private init(
    _ timing: SampleState, tolerance: Duration, clock: some PacingClock, handler: Handler<Value>?
  ) {
    pacer = Pacer(Holding(timing), handler: handler, tolerance: tolerance, clock: clock)
  }

  /// Makes a sampler whose handler runs on the library's own threads, or on a queue of yours.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the sampler follows.
  ///   - handler: What is done with a value.
  /// - Precondition: `period` is positive.
  public convenience init(
    every period: Duration, tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: some PacingClock = .dispatch, handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      SampleState(period: period, start: clock.now), tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, handler))
  }

  /// Makes a sampler whose handler runs on the main actor.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the sampler follows.
  ///   - handler: What is done with a value.
  /// - Precondition: `period` is positive.
  public convenience init(
    every period: Duration, tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: some PacingClock = .dispatch, handler: @escaping @MainActor (Value) -> Void
  ) {
    self.init(
      SampleState(period: period, start: clock.now), tolerance: tolerance, clock: clock,
      handler: Handler(on: delivery, handler))
  }

  /// Makes a sampler without a handler: its values come out of `ticks()`.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the sampler follows.
  /// - Precondition: `period` is positive.
  public convenience init(
    every period: Duration, tolerance: Duration = .zero,
    clock: some PacingClock = .dispatch
  ) {
    self.init(
      SampleState(period: period, start: clock.now), tolerance: tolerance, clock: clock,
      handler: nil)
  }

  deinit {
    pacer.abandon()
  }

  /// Takes a value; after `finish(_:)` it is dropped.
  public func send(_ value: Value) { pacer.send(value) }

  /// Delivers the newest value now, where the handler always runs; the ticks stay where they are.
  ///
  /// - Returns: Whether there was a new one; where there was none, nothing happens.
  @discardableResult
  public func flush() -> Bool { pacer.flush() }

  /// Withdraws every value whose handler has not begun; the ticks stay where they are.
  ///
  /// - Returns: The newest value withdrawn, nil where there was none. It will not be delivered.
  @discardableResult
  public func cancel() -> Value? { pacer.withdraw().last }

  /// Takes no more values and drops the one that no tick has come for; then the streams end.
  ///
  /// `.atOnce` delivers it instead.
  public func finish(_ finish: Finish = .deliver) { pacer.finish(finish) }

  /// Whether the next tick will deliver a value, or one was decided whose handler has not begun.
  public var isPending: Bool { pacer.isPending() }

  /// The newest value that will still be delivered, nil where there is none.
  public var pending: Value? { pacer.pending() }

  /// How long until the pending value is due; zero where it is overdue, nil where none is waited for.
  public var timeRemaining: Duration? { pacer.timeRemaining() }

  /// The values as a stream, from now on: each call is a subscription of its own.
  ///
  /// A consumer that is slow finds the newest value; the stream keeps one and never more. It ends
  /// after `finish(_:)`, and when the sampler is dropped, which the stream does not prevent.
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

extension Sampler where Value == Void {
  /// Takes an event that carries nothing.
  public func send() { pacer.send(()) }
}
