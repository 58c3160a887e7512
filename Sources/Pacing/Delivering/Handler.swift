/// A user's closure, where it runs, and what happens when its runs would overlap.
///
/// The forms of ``DeliveringTool`` make handlers.
public struct Handler<Value: Sendable>: Sendable {
  /// A closure is taken together with each delivery, so that a scheduled beginning retains none: a
  /// tool that releases its handler releases all that it captures, even if a queue is stuck.
  enum Body: Sendable {
    /// After each delivery its thread continues with the next one that was decided.
    case synchronous(@Sendable (Value) -> Void)
    case asynchronous(@Sendable (Value, HandlerRun) async -> Void)
  }

  let body: Body
  let start: HandlerStart
  /// What happens when a value falls due while the handler runs.
  public private(set) var overlap = Overlap.keepLatest

  /// A synchronous handler.
  init(_ callback: Callback<Value>, with owner: (any AnyObject & Sendable)? = nil) {
    body = .synchronous(callback.body)
    start = HandlerStart(at: .place(callback.place), for: owner)
  }

  /// An async handler.
  init(
    _ overlap: Overlap = .keepLatest, on isolation: HandlerStart.Isolation = .none,
    _ body: @escaping @Sendable (Value, HandlerRun) async -> Void
  ) {
    self.body = .asynchronous(body)
    start = HandlerStart(at: .task(isolation), for: nil)
    self.overlap = overlap
  }

  /// An async handler for an owner, which is held weakly.
  init<Owner: AnyObject & Sendable>(
    _ overlap: Overlap, on isolation: HandlerStart.Isolation = .none, with owner: Owner,
    _ body: @escaping @Sendable (Owner, Value) async -> Void
  ) {
    // No capture list: the compiler has a closure with one leave its caller's actor.
    weak let owner = owner
    self.body = .asynchronous { value, _ in
      if let owner { await body(owner, value) }
    }
    start = HandlerStart(at: .task(isolation), for: owner)
    self.overlap = overlap
  }

  private init(_ body: Body, _ start: HandlerStart, _ overlap: Overlap) {
    self.body = body
    self.start = start
    self.overlap = overlap
  }

  /// Whether each run ends before the next delivery of its thread begins.
  var isSynchronous: Bool {
    if case .synchronous = body { true } else { false }
  }

  /// The same handler with another overlap.
  func overlapping(_ overlap: Overlap) -> Handler { Handler(body, start, overlap) }

  /// The handler of the outputs that `show` makes values of.
  func of<Output>(_ show: @escaping @Sendable (Output) -> Value) -> Handler<Output> {
    let mapped: Handler<Output>.Body =
      switch body {
      case .synchronous(let body): .synchronous { body(show($0)) }
      case .asynchronous(let body): .asynchronous { await body(show($0), $1) }
      }
    return Handler<Output>(mapped, start, overlap)
  }
}

/// Where the deliveries of a handler begin; it retains nothing of the user's.
struct HandlerStart: Sendable {
  /// What an async handler is isolated to.
  enum Isolation {
    case none
    case mainActor
    /// The owner, an actor.
    case owner
  }

  enum Kind {
    case place(Place)
    case task(Isolation)
  }

  private let kind: Kind
  /// The owner, which is held weakly; nil if the handler has none.
  private let owner: (@Sendable () -> (any AnyObject & Sendable)?)?

  init(at kind: Kind, for owner: (any AnyObject & Sendable)?) {
    self.kind = kind
    self.owner =
      if let owner { { @Sendable [weak owner] in owner } } else { nil }
  }

  /// Whether the handler had an owner that is gone.
  var isDeserted: Bool { owner.map { $0() == nil } ?? false }

  /// Begins a delivery of a source, unless the owner is gone.
  func callAsFunction(_ source: any DeliverySource, in service: TimerService) {
    switch kind {
    case .place(let place):
      place.perform(in: service) { [owner] in
        guard let owner else { return source.deliver() }
        guard let owner = owner() else { return source.leave() }
        withExtendedLifetime(owner) { source.deliver() }
      }
    case .task(let isolation):
      HandlerRun.begin(in: service) { [owner] run in
        let held = owner?()
        guard owner == nil || held != nil else { return source.leave() }
        let actor: (any Actor)? =
          switch isolation {
          case .none: nil
          case .mainActor: MainActor.shared
          case .owner: held as? any Actor
          }
        await Self.deliver(from: source, in: run, on: actor)
      }
    }
  }

  /// Takes the delivery where it runs, so that it can be withdrawn until then.
  private static func deliver(
    from source: any DeliverySource, in run: HandlerRun, on actor: isolated (any Actor)?
  ) async {
    var started = source.start(run)
    guard let end = started?.end else { return }
    await started?.body()
    // A task that waits for the end of a run may rely on the closure being released by then.
    started = nil
    end()
  }
}

/// The source of a handler's deliveries: a tool's pacer.
protocol DeliverySource: AnyObject, Sendable {
  /// Runs the decided deliveries on this thread, for one turn.
  func deliver()

  /// Begins the oldest decided delivery, which the caller's task runs; nil if it was withdrawn.
  func start(_ run: HandlerRun) -> StartedRun?

  /// Drops decided deliveries, now and later: the handler's owner is gone.
  func leave()
}

/// A delivery to an async handler that has begun.
///
/// Closures, and not an async method of the source: those would leave the handler's actor.
struct StartedRun: Sendable {
  let body: @Sendable () async -> Void
  let end: @Sendable () -> Void
}

/// One run of an async handler: its task.
final class HandlerRun: Sendable {
  private let task = Locked<Task<Void, Never>?>(nil)

  /// Runs `body` in a new task; a manual clock waits until the task ends or waits for the clock.
  @discardableResult
  static func begin(
    in service: TimerService, _ body: @escaping @Sendable (HandlerRun) async -> Void
  ) -> HandlerRun {
    let run = HandlerRun()
    let manual = service.manual
    manual?.began()
    // Under the lock, so that cancelling a run that has just begun finds its task.
    run.task.withLock { task in
      task = Task.detached(executorPreference: manual?.ofHandlers) {
        guard let manual else { return await body(run) }
        await manual.runToEnd { await body(run) }
      }
    }
    return run
  }

  func cancel() {
    task.withLock { $0 }?.cancel()
  }
}
