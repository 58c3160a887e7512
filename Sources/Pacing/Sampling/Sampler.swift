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
/// The ticks are at `start + k * period`, where `start` is the sampler's creation; a late timer
/// does not shift them. A value sent at the instant of a tick counts as arriving after it. A timer
/// is armed only for the next tick with something to deliver. `finish()` drops the pending value;
/// `finish(.atOnce)` delivers it at once.
///
/// ## Concurrency
/// As for every ``PacingTool`` and ``DeliveringTool``, which declare the other verbs.
public final class Sampler<Value: Sendable>: ValueTool {
  let pacer: ValuePacer

  /// Creates a sampler, whose grid begins now; `handle` attaches a handler to it.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - tolerance: The maximum extra delay of a delivery, so that timers can share a wake.
  ///   - clock: The sampler's clock.
  /// - Precondition: `period` is positive.
  public init(
    every period: Duration, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) {
    let service = clock.service
    pacer = ValuePacer(
      .sample(every: period, start: service.now), keeping: Keep<Value>.latest,
      tolerance: tolerance, service: service)
  }

  /// Creates a sampler with a handler that runs on the library's threads.
  @inlinable
  public convenience init(
    every period: Duration, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch,
    handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(every: period, tolerance: tolerance, clock: clock)
    receive(Handler { handler($0.get()) })
  }

  @usableFromInline
  func receive(_ handler: consuming Handler<AnyValue>) { pacer.attach(handler) }

  deinit { pacer.abandon() }

  /// Takes a value; drops it after `finish(_:)`.
  ///
  /// - Complexity: O(1); a read of the clock and an uncontended lock.
  @inlinable
  public func send(_ value: Value) {
    var value = AnyValue(value)
    take(&value)
  }

  @usableFromInline
  func take(_ value: inout AnyValue) { pacer.send(&value) }
}
