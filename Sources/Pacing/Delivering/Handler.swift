/// A user's closure, where it runs and how its runs overlap; a ``DeliveringTool`` makes it.
public struct Handler<Value: Sendable>: Sendable {
  /// Taken with each delivery, so that a scheduled beginning retains none: a tool that releases its
  /// handler releases all that it captures, even if a queue is stuck.
  enum Body: Sendable {
    /// After each delivery its thread continues with the next one that was decided.
    case synchronous(@Sendable (Value) -> Void)
    case asynchronous(@Sendable (Value, HandlerRun) async -> Void)
  }

  let body: Body
  let start: HandlerStart

  private init(_ body: Body, _ start: HandlerStart) {
    self.body = body
    self.start = start
  }

  /// A synchronous handler; the closure of one with an owner must not retain it.
  init(_ callback: Callback<Value>, with owner: (any AnyObject & Sendable)? = nil) {
    self.init(.synchronous(callback.body), HandlerStart(at: .place(callback.place), for: owner))
  }

  init(
    _ overlap: Overlap = .keepLatest, at site: HandlerStart.Site = .task,
    _ body: @escaping @Sendable (Value, HandlerRun) async -> Void
  ) {
    self.init(.asynchronous(body), HandlerStart(at: site, for: nil, overlap))
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
    self.init(body, start)
  }

  var isSynchronous: Bool {
    if case .synchronous = body { true } else { false }
  }

  /// The handler of the outputs that `show` makes values of; inlined, one closure and not two.
  @inline(__always)
  func of<Output>(_ show: @escaping @Sendable (Output) -> Value) -> Handler<Output> {
    switch body {
    case .synchronous(let body): Handler<Output>(.synchronous { body(show($0)) }, start)
    case .asynchronous(let body): Handler<Output>(.asynchronous { await body(show($0), $1) }, start)
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

  /// What few handlers have: the others pay for one word.
  private final class Rare: Sendable {
    let overlap: Overlap
    let hasOwner: Bool
    weak let owner: (any AnyObject & Sendable)?

    init(_ overlap: Overlap, _ owner: (any AnyObject & Sendable)?) {
      self.overlap = overlap
      hasOwner = owner != nil
      self.owner = owner
    }
  }

  private let site: Site
  private let rare: Rare?

  init(at site: Site, for owner: (any AnyObject & Sendable)?, _ overlap: Overlap = .keepLatest) {
    overlap.validate()
    self.site = site
    rare = owner == nil && overlap == .keepLatest ? nil : Rare(overlap, owner)
  }

  @inline(__always)
  var overlap: Overlap { rare?.overlap ?? .keepLatest }

  /// Whether the handler had an owner that is gone.
  var isDeserted: Bool { rare.map { $0.hasOwner && $0.owner == nil } ?? false }

  /// Begins a delivery of a source, unless the owner is gone.
  func callAsFunction(_ source: any DeliverySource, in service: TimerService) {
    if case .place(let place) = site {
      return place.perform(in: service) { [rare] in
        guard let rare, rare.hasOwner else { return source.deliver() }
        guard let owner = rare.owner else { return source.leave() }
        withExtendedLifetime(owner) { source.deliver() }
      }
    }
    HandlerRun.begin(in: service) { [site, rare] run in
      let held = rare?.owner
      guard held != nil || rare?.hasOwner != true else { return source.leave() }
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
