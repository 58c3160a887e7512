public import Pacing

/// Records deliveries with their instants, from a handler or from the consumer of a stream.
///
/// ```swift
/// let searches = EventRecorder<String>(clock: clock)
/// let search = Debouncer(for: .milliseconds(300), clock: clock, handler: searches.record)
/// search.send("swift")
/// clock.advance(by: .milliseconds(300))
/// searches.values    // ["swift"]
/// ```
///
/// ## Concurrency
/// Thread-safe.
public final class EventRecorder<Value: Sendable>: Sendable {
  /// A recorded event.
  public enum Event: Sendable {
    /// A value was delivered.
    case value(Value)

    /// A stream ended.
    case end

    /// A stream failed.
    case failure(any Error)
  }

  /// An event and its instant.
  public struct Entry: Sendable {
    /// The event.
    public let event: Event

    /// The instant on the recorder's clock.
    public let instant: PacingInstant
  }

  private struct State {
    var entries = [Entry]()
    var values = [Value]()
    var isOver = false
    var origin: PacingInstant
    var waits = [(count: Int, wait: OneShot<Void>)]()

    /// Removes and returns the waits whose condition is met.
    mutating func takeReached() -> [OneShot<Void>] {
      let reached = waits.filter { $0.count <= values.count || isOver }
      waits.removeAll { $0.count <= values.count || isOver }
      return reached.map { $0.wait }
    }
  }

  /// The length of a step of a drawing.
  let step: Duration

  private let service: TimerService
  private let state: Locked<State>

  /// Creates an empty recorder.
  ///
  /// - Parameter clock: The clock of the instants. A ``ManualClock`` also specifies the step of
  ///   drawings, which is 100 ms otherwise.
  public init(clock: any Clock<Duration> = .dispatch) {
    service = clock.service
    step = (clock as? ManualClock)?.step ?? .milliseconds(100)
    state = Locked(State(origin: service.now))
  }

  /// Records a value.
  public func record(_ value: Value) {
    add(.value(value))
  }

  /// Records every value of a sequence, then its end or failure.
  ///
  /// With `ManualClock.run` each value is recorded at the instant of its delivery:
  ///
  /// ```swift
  /// clock.run { await searches.record(from: search.ticks()) }
  /// ```
  public nonisolated(nonsending) func record<Values: AsyncSequence>(from values: Values) async
  where Values.Element == Value {
    do {
      for try await value in values { record(value) }
      add(.end)
    } catch {
      add(.failure(error))
    }
  }

  /// Removes all events, and starts drawings at the present instant.
  ///
  /// - Returns: The values so far.
  @discardableResult
  public func takeAll() -> [Value] {
    let taken = state.withLock { state in
      defer {
        state.entries = []
        state.values = []
        state.isOver = false
        state.origin = service.now
      }
      return (state.values, state.entries)
    }
    return taken.0
  }

  /// The values so far, in order.
  public var values: [Value] { state.withLock { $0.values } }

  /// The events so far, in order.
  public var entries: [Entry] { state.withLock { $0.entries } }

  /// Waits until there are `count` values, an end is recorded, or the task is cancelled.
  ///
  /// Use it for code that runs on threads of its own. Code that `ManualClock.run` runs needs no
  /// wait.
  ///
  /// - Parameter count: The number of values to wait for.
  /// - Returns: The values so far: at least `count`, unless an end or a cancellation came first.
  @discardableResult
  public func values(atLeast count: Int) async -> [Value] {
    let wait = OneShot<Void>()
    let reached = state.withLock { state in
      state.waits.append((count, wait))
      return state.takeReached()
    }
    for wait in reached { wait.resolve(()) }
    await wait.outcome(ifCancelled: ())
    return values
  }

  /// The entries, the beginning of the recording, and the present instant.
  var extent: (entries: [Entry], origin: PacingInstant, now: PacingInstant) {
    state.withLock { ($0.entries, $0.origin, service.now) }
  }

  private func add(_ event: Event) {
    let reached = state.withLock { state in
      state.entries.append(Entry(event: event, instant: service.now))
      if case .value(let value) = event { state.values.append(value) } else { state.isOver = true }
      return state.takeReached()
    }
    for wait in reached { wait.resolve(()) }
  }
}
