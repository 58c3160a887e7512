/// A user's closure, where it runs and how its runs overlap; a ``DeliveringTool`` makes it.
public struct Handler<Value: Sendable>: Sendable {
  /// Taken with each delivery, so that a scheduled beginning retains none: a tool that releases its
  /// handler releases all that it captures, even if a queue is stuck.
  enum Body: Sendable {
    /// After each delivery its thread continues with the next one that was decided.
    case synchronous(@Sendable (Value) -> Void)
    case asynchronous(@Sendable (Value, HandlerRun) async -> Void)
  }

  // In this order the fields leave no gap.
  let start: HandlerStart
  let body: Body
}

extension Handler {
  /// A handler on the library's threads; inlinable code makes its closure as it is kept, in one
  /// block of memory, or in none if it captures nothing.
  @usableFromInline
  init(_ body: @escaping @Sendable (Value) -> Void) { self.init(Callback(on: .shared, body)) }

  /// A synchronous handler; the closure of one with an owner must not retain it.
  init(_ callback: Callback<Value>, with owner: (any AnyObject & Sendable)? = nil) {
    let start = HandlerStart(at: .place(callback.place), for: owner)
    self.init(start: start, body: .synchronous(callback.body))
  }

  init(
    _ overlap: Overlap = .keepLatest, at site: HandlerStart.Site = .task,
    _ body: @escaping @Sendable (Value, HandlerRun) async -> Void
  ) {
    self.init(start: HandlerStart(at: site, for: nil, overlap), body: .asynchronous(body))
  }

  /// An async handler for an owner, which is held weakly.
  init<Owner: AnyObject & Sendable>(
    _ overlap: Overlap, at site: HandlerStart.Site = .task, with owner: Owner,
    _ body: @escaping @Sendable (Owner, Value) async -> Void
  ) {
    let start = HandlerStart(at: site, for: owner, overlap)
    // No capture list: the compiler has a closure with one leave its caller's actor.
    weak let owner = owner
    let body = Body.asynchronous { value, _ in
      if let owner { await body(owner, value) }
    }
    self.init(start: start, body: body)
  }

  var isSynchronous: Bool { if case .synchronous = body { true } else { false } }

  /// The handler of the outputs that `show` makes values of; inlined, one closure and not two.
  @inline(__always)
  func of<Output>(_ show: @escaping @Sendable (Output) -> Value) -> Handler<Output> {
    switch body {
    case .synchronous(let run): .init(start: start, body: .synchronous { run(show($0)) })
    case .asynchronous(let run):
      .init(start: start, body: .asynchronous { await run(show($0), $1) })
    }
  }
}

/// Where the deliveries of a handler begin and how they overlap; it retains nothing of the user's.
struct HandlerStart: Sendable {
  enum Site {
    case place(Place)
    case task
    case taskOnMainActor
    case taskOnOwner
  }

  private typealias Owner = @Sendable () -> (any AnyObject & Sendable)?

  /// What few handlers have: the others pay for one word.
  private indirect enum Rest: Sendable {
    case usual
    /// The owner is held weakly.
    case rare(Overlap, owner: Owner?)
  }

  private let site: Site
  private let rest: Rest

  init(at site: Site, for owner: (any AnyObject & Sendable)?, _ overlap: Overlap = .keepLatest) {
    overlap.validate()
    self.site = site
    let owner: Owner? = if let owner { { [weak owner] in owner } } else { nil }
    rest = owner == nil && overlap == .keepLatest ? .usual : .rare(overlap, owner: owner)
  }

  @inline(__always)
  var overlap: Overlap { if case .rare(let overlap, _) = rest { overlap } else { .keepLatest } }

  private var owner: Owner? { if case .rare(_, let owner) = rest { owner } else { nil } }

  /// Whether the handler had an owner that is gone.
  var isDeserted: Bool { owner.map { $0() == nil } ?? false }

  /// Begins a delivery of a source, unless the owner is gone.
  func callAsFunction(_ source: any DeliverySource, in service: TimerService) {
    if case .place(let place) = site {
      return place.perform(in: service) { [owner] in
        guard let owner else { return source.deliver() }
        guard let owner = owner() else { return source.leave() }
        withExtendedLifetime(owner) { source.deliver() }
      }
    }
    HandlerRun.begin(in: service) { [site, owner] run in
      let held = owner?()
      guard owner == nil || held != nil else { return source.leave() }
      let actor: (any Actor)? =
        switch site {
        case .place, .task: nil
        case .taskOnMainActor: MainActor.shared
        case .taskOnOwner: held as? any Actor
        }
      await Self.deliver(from: source, in: run, on: actor)
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
  /// A delivery to an async handler that has begun: what to run, and what ends it.
  ///
  /// Closures, and not an async method: that would leave the handler's actor.
  typealias Started = (body: @Sendable () async -> Void, end: @Sendable () -> Void)

  /// Runs the decided deliveries on this thread, for one turn.
  func deliver()

  /// Begins the oldest decided delivery, which the caller's task runs; nil if it was withdrawn.
  func start(_ run: HandlerRun) -> Started?

  /// Drops decided deliveries, now and later: the handler's owner is gone.
  func leave()
}

/// One run of an async handler: its task.
final class HandlerRun: Sendable {
  private let task = Locked<Task<Void, Never>?>(nil)

  /// Runs `body` in a new task; a manual clock waits until the task ends or waits for the clock.
  static func begin(
    in service: TimerService, _ body: @escaping @Sendable (HandlerRun) async -> Void
  ) {
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
  }

  func cancel() { task.withLock { $0 }?.cancel() }
}
