import Synchronization

/// Virtual time: what a `TimerService` follows in place of the system's clock.
///
/// Time stands still until someone moves it. Work for `.shared` is kept until the advancing thread
/// takes it; work that runs elsewhere is counted, so that its end can be awaited.
package final class ManualTime: Timekeeper, TaskExecutor {
  private struct State {
    /// What was kept for the advancing thread, in order.
    var ready = FIFO<@Sendable () -> Void>()
    /// Handlers that were handed to a queue or have begun here, and have not ended.
    var running = 0
    /// How many tasks of each async handler wait for a time or a grant.
    var waits = [ObjectIdentifier: Int]()
    /// The async handlers of which a task waits so.
    var waiting = 0
    /// Tasks that are suspended until a time or a grant.
    var parked = 0
    var whenSettled = [CheckedContinuation<Void, Never>]()
    var whenParked = [(count: Int, continuation: CheckedContinuation<Void, Never>)]()

    var isSettled: Bool { running == waiting }

    mutating func takeSettled() -> [CheckedContinuation<Void, Never>] {
      guard isSettled else { return [] }
      defer { whenSettled = [] }
      return whenSettled
    }

    /// Counts the waits of a handler; those of one that has ended count no more.
    mutating func addWaits(_ change: Int, of handler: HandlerTask?) {
      guard let handler, let before = waits[ObjectIdentifier(handler)] else { return }
      waits[ObjectIdentifier(handler)] = before + change
      waiting += (before + change > 0 ? 1 : 0) - (before > 0 ? 1 : 0)
    }

    mutating func beginReady() -> (@Sendable () -> Void)? {
      guard let work = ready.popFirst() else { return nil }
      running += 1
      return work
    }
  }

  private let time: Atomic<Nanoseconds>
  private let wallTimeAtOrigin = Atomic<Nanoseconds>(0)
  private let state = Locked(State())

  package init(start: PacingInstant = PacingInstant(nanoseconds: 0)) {
    time = Atomic(start.nanoseconds)
  }

  /// The current instant.
  package var now: PacingInstant { PacingInstant(nanoseconds: time.load(ordering: .acquiring)) }

  /// Moves time forward; an instant that has passed is ignored, and one that never comes stays
  /// ahead.
  package func move(to instant: PacingInstant) {
    time.max(Swift.min(instant.nanoseconds, .never - 1), ordering: .acquiringAndReleasing)
  }

  /// What the wall clock shows at the origin of this time; the same as it, until it is set.
  package var wallOffset: Nanoseconds {
    get { wallTimeAtOrigin.load(ordering: .acquiring) }
    set { wallTimeAtOrigin.store(newValue, ordering: .releasing) }
  }

  // MARK: Handlers

  /// Keeps work for the thread that advances the clock.
  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.ready.append(work) }
  }

  /// Notes that work was handed to a queue, which will say when it has `ended`.
  package func began() {
    state.withLock { $0.running += 1 }
  }

  /// Notes the end of one handler.
  package func ended() {
    let settled = state.withLock { state in
      state.running -= 1
      return state.takeSettled()
    }
    for continuation in settled { continuation.resume() }
  }

  /// Runs an async handler that `began`, up to its end.
  package func runToEnd(_ body: () async -> Void) async {
    let handler = HandlerTask()
    state.withLock { $0.waits[ObjectIdentifier(handler)] = 0 }
    await HandlerTask.$current.withValue(handler) { await body() }
    state.withLock { state in
      let left = state.waits.removeValue(forKey: ObjectIdentifier(handler)) ?? 0
      if left > 0 { state.waiting -= 1 }
    }
    ended()
  }

  /// Runs the work that was kept, and what it brings about, in order; the work may call it too.
  package func runReady() {
    while let work = state.withLock({ $0.beginReady() }) {
      work()
      ended()
    }
  }

  /// Waits until every handler that was handed to a queue or has begun has ended, or waits for a
  /// time or a grant itself.
  package func settle() async {
    await withCheckedContinuation { continuation in
      let isSettled = state.withLock { state in
        if !state.isSettled { state.whenSettled.append(continuation) }
        return state.isSettled
      }
      if isSettled { continuation.resume() }
    }
  }

  // MARK: Tasks

  /// Notes that a task waits for a time or a grant.
  ///
  /// - Parameter handler: The async handler that the task belongs to.
  package func park(_ handler: HandlerTask?) {
    let reached = state.withLock { state in
      state.parked += 1
      state.addWaits(1, of: handler)
      let parked = state.parked
      let reached = state.whenParked.filter { $0.count <= parked }.map(\.continuation)
      state.whenParked.removeAll { $0.count <= parked }
      return reached + state.takeSettled()
    }
    for continuation in reached { continuation.resume() }
  }

  /// Notes that a task's wait is over.
  package func unpark(_ handler: HandlerTask?) {
    state.withLock { state in
      state.parked -= 1
      state.addWaits(-1, of: handler)
    }
  }

  /// This, where the current task runs inside `advance`: what it waits for should run there, too.
  package var ofCurrentTask: ManualTime? {
    let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
    return executor == asUnownedTaskExecutor() ? self : nil
  }

  /// Keeps a task's next step for the advancing thread, among the handlers.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Only this object runs it, so it is there.
    enqueue { [unowned self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Waits until at least `count` tasks wait for a time or a grant.
  package func parked(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.parked < count { state.whenParked.append((count, continuation)) }
        return state.parked >= count
      }
      if isReached { continuation.resume() }
    }
  }
}
