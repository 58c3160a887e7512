/// Samples values: delivers the newest value at regular ticks, if it is new.
///
/// Use it to show or write many things in step: gauges, frames, a log line each second. Use a
/// ``Throttler`` if a value after a pause must not wait for the next tick.
///
/// ```swift
/// let gauge = Sampler<Double>(every: .seconds(1)) { load in record(load) }
/// gauge.send(0.3)
/// ```
///
/// A period of four steps:
///
///     sent       -a-b-c------d-e------
///     sampled    ----b---c-------e----
///
/// ## Timing
/// The ticks are at `start + k * period`, where `start` is the instant the sampler is made; nothing
/// shifts them, not even a late timer. A value sent at the instant of a tick counts as arriving
/// after it. A timer is armed only for the next tick with something to deliver. `finish()` drops a
/// value still waiting for its tick; `finish(.atOnce)` delivers it at once.
///
/// ## Concurrency
/// As for every ``PacingTool``, which also declares `flush()`, `cancel()`, `finish(_:)`, `ticks()`
/// and the other verbs.
public final class Sampler<Value: Sendable>: PacingTool {
  private let pacer: Pacer<ValueState<SampleState, AnyValue>>

  init(
    _ timing: SampleState, tolerance: Duration, clock: any PacingClock, handler: Handler<AnyValue>?
  ) {
    pacer = Pacer(ValueState(timing), handler: handler, tolerance: tolerance, clock: clock)
  }

  deinit {
    pacer.abandon()
  }

  /// The tool's implementation, for the library only.
  public var _core: _PacingCore<Value> { _PacingCore(pacer: SamplePacing(pacer: pacer)) }

  /// Takes a value; drops it after `finish(_:)` or while the sampler is disabled.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  public func send(_ value: Value) {
    var value = AnyValue(value)
    pacer.send(&value)
  }
}

/// A concrete pacer, so that its verbs are specialised inside the library.
struct SamplePacing: ValuePacer { let pacer: Pacer<ValueState<SampleState, AnyValue>> }
