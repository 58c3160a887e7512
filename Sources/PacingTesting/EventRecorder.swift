public import Pacing

/// Records what was delivered and when, from any thread: a handler, or the consumer of a stream.
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
/// All methods may be called from any thread.
public final class EventRecorder<Value: Sendable>: Sendable {
  /// What has happened.
  public enum Event: Sendable {
    /// A value was delivered.
    case value(Value)

    /// A stream has ended.
    case end

    /// A stream has failed.
    case failure(any Error)
  }

  /// What has happened, and when.
  public struct Entry: Sendable {
    /// What has happened.
    public let event: Event

    /// The instant that the recorder's clock showed.
    public let instant: PacingInstant
  }

  private struct State {
    var entries = [Entry]()
    var values = [Value]()
    var isOver = false
    var origin: PacingInstant
    var waiters = [(count: Int, waiter: Waiter)]()

    /// Takes out the waiters that have what they wait for.
    mutating func takeReached() -> [Waiter] {
      let reached = waiters.filter { $0.count <= values.count || isOver }
      waiters.removeAll { $0.count <= values.count || isOver }
      return reached.map(\.waiter)
    }
  }

  /// How long a step of a drawing is.
  let step: Duration

  private let service: TimerService
  private let state: Locked<State>

  /// Makes a recorder that has nothing yet.
  ///
  /// - Parameter clock: The clock that says when something was delivered, and that says for
  ///   drawings how long a step is; 100 ms where it is no `ManualClock`.
  public init(clock: any PacingClock = .dispatch) {
    service = clock.service
    step = (clock as? ManualClock)?.step ?? .milliseconds(100)
    state = Locked(State(origin: clock.now))
  }

  /// Records a value.
  public func record(_ value: Value) {
    add(.value(value))
  }

  /// Records every value of a sequence, and then its end or its failure.
  ///
  /// With `ManualClock.run` each value is recorded at the instant at which it was delivered:
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

  /// Forgets everything, and begins drawings anew: at the present instant.
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

  /// Everything so far, in order, with its time.
  public var entries: [Entry] { state.withLock { $0.entries } }

  /// Waits until there are so many values, or the end has been recorded, or the task is cancelled.
  ///
  /// For code that runs on threads of its own. What `ManualClock.run` runs needs no waiting.
  ///
  /// - Returns: The values so far: where it waited for nothing else, `count` of them or more.
  @discardableResult
  public func values(atLeast count: Int) async -> [Value] {
    let waiter = Waiter()
    let reached = state.withLock { state in
      state.waiters.append((count, waiter))
      return state.takeReached()
    }
    for waiter in reached { waiter.end() }
    await waiter.wait()
    return values
  }

  /// The entries, and when recording began and when it is now.
  var extent: (entries: [Entry], origin: PacingInstant, now: PacingInstant) {
    state.withLock { ($0.entries, $0.origin, service.now) }
  }

  private func add(_ event: Event) {
    let reached = state.withLock { state in
      state.entries.append(Entry(event: event, instant: service.now))
      if case .value(let value) = event { state.values.append(value) } else { state.isOver = true }
      return state.takeReached()
    }
    for waiter in reached { waiter.end() }
  }
}

/// The same, in the package's own tests.
package typealias Recorder = EventRecorder
