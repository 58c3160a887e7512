import Synchronization

/// Virtual time, which a `TimerService` follows in place of the system's clock.
///
/// Time stands still until it is moved. Work for `.shared` is kept until the advancing thread takes
/// it; work that runs elsewhere is counted, so that its end can be awaited.
package final class ManualTime: Timekeeper, TaskExecutor {
  private struct State {
    var ready = FIFO<@Sendable () -> Void>()
    /// How many calls run the kept work, or will before they return.
    var runners = 0
    /// Tasks that run the kept work if nothing else does.
    var volunteers = [OneShot<Void>]()
    /// How many handlers were handed to a queue or have begun here, and have not ended.
    var running = 0
    /// How many tasks of each async handler wait for an instant or a grant.
    var waits = [ObjectIdentifier: Int]()
    /// How many async handlers have such a task.
    var waiting = 0
    /// How many tasks wait for an instant or a grant.
    var parked = 0
    var watchers = [(isMet: @Sendable (borrowing State) -> Bool, wait: OneShot<Void>)]()

    var isSettled: Bool { running == waiting }

    /// Removes and returns the waits whose condition is met.
    mutating func takeMet() -> [OneShot<Void>] {
      let (met, others) = (watchers.filter { $0.isMet(self) }, watchers.filter { !$0.isMet(self) })
      watchers = others
      return met.map { $0.wait }
    }

    /// Counts the waits of a handler; the waits of a handler that has ended do not count.
    mutating func addWaits(_ change: Int, of handler: HandlerTask?) {
      guard let handler, let before = waits[ObjectIdentifier(handler)] else { return }
      waits[ObjectIdentifier(handler)] = before + change
      waiting += (before + change > 0 ? 1 : 0) - (before > 0 ? 1 : 0)
    }

    mutating func takeVolunteers() -> [OneShot<Void>] {
      guard runners == 0, !ready.isEmpty else { return [] }
      defer { volunteers = [] }
      return volunteers
    }
  }

  private let time = Atomic<Nanoseconds>(0)
  private let timeServed = Atomic<Nanoseconds>(0)
  private let wallTimeAtOrigin = Atomic<Nanoseconds>(0)
  private let state = Locked(State())
  private let runsHandlers: Bool

  /// False in tests that take the path of systems without `Task.immediate`.
  @TaskLocal package static var beginsTasksAtOnce = true
  package let beginsTasksAtOnce = ManualTime.beginsTasksAtOnce

  /// - Parameter runsHandlers: Whether the tasks of async handlers run inside `advance` too, which
  ///   only works if no handler waits for what a test has yet to do.
  package init(runsHandlers: Bool = false) {
    self.runsHandlers = runsHandlers
  }

  package var now: PacingInstant { PacingInstant(nanoseconds: time.load(ordering: .acquiring)) }

  /// The instant up to which time was advanced, and not only lapsed: the timers until then have
  /// fired, or fire now.
  var served: PacingInstant { PacingInstant(nanoseconds: timeServed.load(ordering: .acquiring)) }

  /// Moves time forward; an instant that has passed is ignored, and `distantFuture` is not reached.
  package func move(to instant: PacingInstant) {
    time.max(Swift.min(instant.nanoseconds, .never - 1), ordering: .acquiringAndReleasing)
  }

  /// Moves time forward for a caller that looks for what is due then.
  package func serve(to instant: PacingInstant) {
    move(to: instant)
    timeServed.max(Swift.min(instant, now).nanoseconds, ordering: .acquiringAndReleasing)
  }

  /// The wall time at the origin of this time; zero until it is set.
  package var wallOffset: Nanoseconds {
    get { wallTimeAtOrigin.load(ordering: .acquiring) }
    set { wallTimeAtOrigin.store(newValue, ordering: .releasing) }
  }

  // MARK: Handlers

  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.ready.append(work) }
  }

  /// Counts work that was handed to a queue; `ended()` follows.
  package func began() { state.withLock { $0.running += 1 } }

  /// Changes the state, and then resumes the tasks that this lets go on.
  private func wake(_ change: (inout State) -> [OneShot<Void>]) {
    for wait in state.withLock({ change(&$0) }) { wait.resolve(()) }
  }

  package func ended() {
    wake { state in
      state.running -= 1
      return state.takeMet()
    }
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

  /// Takes the oldest kept work, nil if there is none; `ended()` follows when it has run.
  package func takeReady() -> (@Sendable () -> Void)? {
    state.withLock { state in
      let work = state.ready.popFirst()
      if work != nil { state.running += 1 }
      return work
    }
  }

  /// Runs the kept work, and the work it leads to, in order; re-entrant.
  package func runReady() { running { runReady(until: { false }) } }

  private func runReady(until isOver: () -> Bool) {
    while !isOver(), let work = takeReady() {
      work()
      ended()
    }
  }

  /// Calls `body`, which runs the kept work: no task that waits for a handler runs it meanwhile.
  package func running(_ body: () -> Void) {
    state.withLock { $0.runners += 1 }
    body()
    endRunning()
  }

  private func endRunning() {
    wake { state in
      state.runners -= 1
      return state.takeVolunteers()
    }
  }

  /// Waits for the end of handlers, or of a task of this time, and runs them if nothing else does.
  ///
  /// Without this, a task that waits outside `advance` would wait for another to advance the clock.
  package func outcome(of wait: OneShot<Void>) async {
    // A task inside `advance` returns to it.
    guard ofCurrentTask == nil else { return await wait.outcome() }
    runReadyAlone(until: wait)
    guard !wait.isResolved else { return }
    let watch = Task.detached { [self] in
      await wait.outcome()
      wake { state in
        defer { state.volunteers = [] }
        return state.volunteers
      }
    }
    while true {
      let turn = OneShot<Void>()
      let isIdle = state.withLock { state in
        let isIdle = state.runners == 0 && !state.ready.isEmpty
        if !isIdle { state.volunteers.append(turn) }
        return isIdle
      }
      // Asked after the turn was noted: what ends the wait from now on ends the turn, too.
      if wait.isResolved { break }
      if !isIdle { await turn.outcome() }
      runReadyAlone(until: wait)
    }
    await watch.value
  }

  /// As `outcome(of:)`, for the end of a task.
  package func end(of task: Task<Void, Never>) async {
    guard ofCurrentTask == nil else { return await task.value }
    let end = OneShot<Void>()
    Task.detached {
      await task.value
      end.resolve(())
    }
    await outcome(of: end)
  }

  private func runReadyAlone(until wait: OneShot<Void>) {
    let isAlone = state.withLock { state in
      defer { if state.runners == 0 { state.runners = 1 } }
      return state.runners == 0
    }
    guard isAlone else { return }
    runReady { wait.isResolved }
    endRunning()
  }

  /// Waits until every handler that was handed to a queue or has begun has ended, or itself waits
  /// for an instant or a grant; or until the task is cancelled.
  package func settle() async { await wait { $0.isSettled } }

  /// Whether that is so, and no work is kept.
  package var isIdle: Bool { state.withLock { $0.isSettled && $0.ready.isEmpty } }

  /// Waits until at least `count` tasks wait for an instant or a grant, or until the task is
  /// cancelled.
  package func parked(atLeast count: Int) async {
    await wait { $0.parked >= count }
  }

  private func wait(until isMet: @escaping @Sendable (borrowing State) -> Bool) async {
    let wait = OneShot<Void>()
    let isOver = state.withLock { state in
      let isOver = isMet(state)
      if !isOver { state.watchers.append((isMet, wait)) }
      return isOver
    }
    guard !isOver else { return }
    await wait.outcome(ifCancelled: ())
    state.withLock { $0.watchers.removeAll { $0.wait === wait } }
  }

  // MARK: Tasks

  /// Where the tasks of async handlers run, nil for the threads of the concurrency runtime.
  var ofHandlers: ManualTime? { runsHandlers ? self : nil }

  /// Counts a task that waits for an instant or a grant, in an async handler or not.
  package func park(_ handler: HandlerTask?) {
    wake { state in
      state.parked += 1
      state.addWaits(1, of: handler)
      return state.takeMet()
    }
  }

  package func unpark(_ handler: HandlerTask?) {
    state.withLock { state in
      state.parked -= 1
      state.addWaits(-1, of: handler)
    }
  }

  /// `self` if the current task runs inside `advance`, where its child tasks should run too.
  package var ofCurrentTask: ManualTime? {
    let executor = unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor }
    return unsafe executor == asUnownedTaskExecutor() ? self : nil
  }

  /// Keeps a task's next step for the advancing thread, among the handlers.
  ///
  /// A handler decided meanwhile wakes no volunteer: it waits for the `advance` that is to run it.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    wake { state in
      // Only this object runs the closure, so it is alive then.
      state.ready.append { [unowned self] in
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      }
      return state.takeVolunteers()
    }
  }
}
