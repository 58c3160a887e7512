/// Debounces values: delivers the last of a burst once no further one has come for a while.
///
/// Use it for input of which only the end result matters: keystrokes, resize events, file changes.
/// Use a `Throttler` where deliveries are wanted while the values keep coming, or give a maximum wait.
///
///     let search = Debouncer<String>(for: .milliseconds(300)) { query in run(query) }
///     search.send("s")
///     search.send("swift")
///
/// A quiet period of three steps, with the default edge and with `.both`:
///
///     sent       a-b-c-------d--------
///     trailing   -------c-------d-----
///     both       a------c----d--------
///
/// ## Timing
/// A value is due `wait` after it came, if none has come since, or `maximumWait` after the first one
/// not yet delivered. What is due at an instant is delivered before a value of the same instant is
/// taken. Nothing is delivered early; a late timer delivers late, and loses nothing. A wait of zero
/// or less delivers each value at once.
///
/// ## Concurrency
/// All methods may be called from any thread, and from inside the handler: a value that is sent there
/// comes after the one that is being delivered. One handler runs at a time, never on the caller's
/// stack; while it runs, what falls due is held and newer values take its place. Dropping the last
/// reference drops what is pending, lets what was decided run, and ends the streams.
public final class Debouncer<Value: Sendable>: Sendable {
  let pacer: Pacer<Holding<DebounceState, Value>>

  private init(
    _ timing: DebounceState, tolerance: Duration, clock: some PacingClock,
    handler: Handler<Value>?
  ) {
    pacer = Pacer(Holding(timing), handler: handler, tolerance: tolerance, clock: clock)
  }

  /// Makes a debouncer whose handler runs on the library's own threads, or on a queue of yours.
  ///
  /// - Parameters:
  ///   - wait: How long it must be quiet.
  ///   - edges: Which end of a burst is delivered.
  ///   - maximumWait: How long a value waits at the most while others keep coming; nil for no limit.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock that the debouncer follows.
  ///   - handler: What is done with a value.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    tolerance: Duration = .zero, on delivery: Delivery = .shared,
    clock: some PacingClock = .dispatch, handler: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), tolerance: tolerance,
      clock: clock, handler: Handler(on: delivery, handler))
  }

  /// Makes a debouncer whose handler runs on the main actor.
  ///
  /// - Parameters:
  ///   - wait: How long it must be quiet.
  ///   - edges: Which end of a burst is delivered.
  ///   - maximumWait: How long a value waits at the most while others keep coming; nil for no limit.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - delivery: `.main`.
  ///   - clock: The clock that the debouncer follows.
  ///   - handler: What is done with a value.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    tolerance: Duration = .zero, on delivery: MainDelivery,
    clock: some PacingClock = .dispatch, handler: @escaping @MainActor (Value) -> Void
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), tolerance: tolerance,
      clock: clock, handler: Handler(on: delivery, handler))
  }

  /// Makes a debouncer without a handler: its values come out of `ticks()`.
  ///
  /// - Parameters:
  ///   - wait: How long it must be quiet.
  ///   - edges: Which end of a burst is delivered.
  ///   - maximumWait: How long a value waits at the most while others keep coming; nil for no limit.
  ///   - tolerance: How much later a delivery may be, so that timers can share a wake.
  ///   - clock: The clock that the debouncer follows.
  public convenience init(
    for wait: Duration, edges: Edges = .trailing, maximumWait: Duration? = nil,
    tolerance: Duration = .zero, clock: some PacingClock = .dispatch
  ) {
    self.init(
      DebounceState(wait: wait, maximumWait: maximumWait, edges: edges), tolerance: tolerance,
      clock: clock, handler: nil)
  }

  deinit {
    pacer.abandon()
  }

  /// Takes a value; after `finish(_:)` it is dropped.
  public func send(_ value: Value) { pacer.send(value) }

  /// Delivers the pending value now, where the handler always runs; does nothing if there is none.
  ///
  /// - Returns: Whether there was one. The debouncer is idle then: the next value begins a burst.
  @discardableResult
  public func flush() -> Bool { pacer.flush() }

  /// Withdraws every value whose handler has not begun; the debouncer is idle then.
  ///
  /// - Returns: The newest value withdrawn, nil where there was none. It will not be delivered.
  @discardableResult
  public func cancel() -> Value? { pacer.withdraw().last }

  /// Takes no more values: the pending one is delivered at once, and then the streams end.
  public func finish(_ finish: Finish = .deliver) { pacer.finish(finish) }

  /// Whether a value will still be delivered; false after a lone leading delivery.
  public var isPending: Bool { pacer.isPending() }

  /// The newest value that will still be delivered, nil where there is none.
  public var pending: Value? { pacer.pending() }

  /// How long until the pending value is due; zero where it is overdue, nil where none is waited for.
  public var timeRemaining: Duration? { pacer.timeRemaining() }
}

extension Debouncer where Value == Void {
  /// Takes an event that carries nothing.
  public func send() { pacer.send(()) }
}
