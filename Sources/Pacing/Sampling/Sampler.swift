/// Samples values: looks at regular times, and delivers the newest value if there is a new one.
///
/// Use it where many things are shown or written in step: gauges, frames, a log line each second.
/// Use a `Throttler` where a value after a pause must not wait for the next tick.
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
/// The ticks are `start + k * period`, counted from the sampler's making; nothing moves them, late
/// timers neither. A value of the very instant of a tick comes after it. A timer stands only for
/// the next tick with something to deliver. `finish(_:)` drops the value that no tick has come for;
/// `.atOnce` delivers it instead.
///
/// ## Concurrency
/// As for every ``PacingTool``; from there come `flush()`, `cancel()`, `finish(_:)`, `ticks()` and
/// the other verbs.
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

  /// What the tool stands on; there is nothing to do with it.
  public var _core: _PacingCore<Value> { _PacingCore(pacer: SamplePacing(pacer: pacer)) }

  /// Takes a value; after `finish(_:)`, or while the sampler is not enabled, it is dropped.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  public func send(_ value: Value) {
    var value = AnyValue(value)
    pacer.send(&value)
  }
}

/// The concrete pacer of a tool, so that its verbs are compiled with the library.
struct SamplePacing: ValuePacer { let pacer: Pacer<ValueState<SampleState, AnyValue>> }
