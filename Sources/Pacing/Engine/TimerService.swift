/// The one timer under every tool: a queue of deadlines and something that says when they are due.
///
/// Where it stands on the system's clock, that is one Dispatch source for the whole process,
/// activated once and never suspended. Under a manual clock it is the thread that calls `advance`.
/// A tool asks its clock for the service once, when it is made; there is nothing else to do with it.
///
/// ## Concurrency
/// Lock order: a tool's lock, then the service's. The service calls a tool with no lock held.
public final class TimerService: Sendable {
  package typealias Queue = DeadlineQueue<any TimerTarget>
  package typealias Handle = Queue.Handle
  private typealias Due = ContiguousArray<(handle: Handle, payload: any TimerTarget)>

  private struct State {
    var queue = Queue()
    /// What the source is set to; `distantFuture` after a wake, until it is armed again.
    var armed = PacingInstant.distantFuture
    /// A thread is inside `source.schedule`, and will look again when it comes out.
    var isArming = false
    /// A drain is on its way, and will arm when it has finished.
    var isDraining = false
  }

  /// Virtual time, nil for the system's.
  package let manual: ManualTime?
  private let state = Locked(State())
  private let source: DispatchAlarm?

  /// How many entries one hold of the lock takes out.
  private static let batch = 256

  /// The service on the system's monotonic clock, made when it is first used.
  static let system = TimerService(manual: nil)

  package init(manual: ManualTime?) {
    self.manual = manual
    source = manual == nil ? DispatchAlarm() : nil
    source?.activate { [unowned self] in drain() }
  }

  /// The current instant.
  @inline(__always)
  package var now: PacingInstant {
    if let manual { manual.now } else { Platform.now }
  }

  /// How many entries are pending.
  package var pendingCount: Int { state.withLock { $0.queue.count } }

  /// The earliest deadline, `distantFuture` where nothing is pending.
  package var earliest: PacingInstant { state.withLock { $0.queue.earliest } }

  /// Runs work at the place that tools call `.shared`: on the library's threads, or, where time is
  /// manual, on the one that advances it.
  func perform(_ work: @escaping @Sendable () -> Void) {
    if let manual {
      manual.enqueue(work)
    } else {
      SharedWorkers.system.perform(work)
    }
  }

  // MARK: Entries

  /// Adds an entry, or gives the one of `handle` another deadline.
  ///
  /// - Returns: The entry's handle, and whether the caller owes an `arm()` outside its own lock.
  package func schedule(
    _ target: any TimerTarget, at deadline: PacingInstant, tolerance: Nanoseconds = 0,
    replacing handle: Handle? = nil
  ) -> (handle: Handle, isEarliest: Bool) {
    let wake = manual == nil ? deadline.coalesced(within: tolerance) : deadline
    return state.withLock { state in
      let moved = handle.flatMap { state.queue.move($0, to: wake) }
      let entry = moved ?? state.queue.schedule(target, at: wake)
      return (entry, wake < state.armed && !state.isDraining)
    }
  }

  /// Takes an entry out and lets go of its target; one that has fired is ignored.
  package func cancel(_ handle: Handle) {
    // Released after the lock: the last reference may go here.
    _ = state.withLock { $0.queue.cancel(handle) }
  }

  // MARK: Arming

  /// Sets the source to the earliest deadline, unless it is set to that or an earlier one.
  ///
  /// Setting the source wakes a thread, so it happens outside every lock; one thread at a time does
  /// it, and looks again afterwards. Without that, two callers could set it in inverted order, and
  /// the earlier deadline would be lost.
  package func arm() {
    guard let source else { return }
    while let deadline = beginArming() {
      source.set(deadline)
      state.withLock { $0.isArming = false }
    }
  }

  private func beginArming() -> PacingInstant? {
    state.withLock { state in
      guard !state.isArming, !state.isDraining, state.queue.earliest < state.armed else {
        return nil
      }
      state.isArming = true
      state.armed = state.queue.earliest
      return state.armed
    }
  }

  // MARK: Firing

  /// Wakes everything that is due, in deadline order, then arms for the next deadline.
  private func drain() {
    state.withLock { state in
      state.isDraining = true
      state.armed = .distantFuture
    }
    let now = now
    while true {
      let due = takeDue(at: now)
      for (handle, target) in due { target.wake(handle) }
      if due.count < Self.batch { break }
    }
    state.withLock { $0.isDraining = false }
    arm()
  }

  private func takeDue(at now: PacingInstant) -> Due {
    state.withLock { state in
      var due = Due()
      while due.count < Self.batch, let next = state.queue.popDue(at: now) { due.append(next) }
      return due
    }
  }

  /// Wakes the earliest entry if it is due at `instant`: a manual clock's step.
  package func fireNext(dueAt instant: PacingInstant) -> Bool {
    guard let (handle, target) = state.withLock({ $0.queue.popDue(at: instant) }) else {
      return false
    }
    target.wake(handle)
    return true
  }
}

extension PacingInstant {
  /// An instant up to `self + tolerance`, and not before `self`, that entries of different deadlines
  /// share.
  ///
  /// Dispatch ignores leeway on Linux. Deadlines are rounded up to a multiple of the largest power of
  /// two within the tolerance, so that those of a neighbourhood fall due with one wake.
  package func coalesced(within tolerance: Nanoseconds) -> PacingInstant {
    guard tolerance > 0 else { return self }
    let grid: Nanoseconds = 1 << (63 - tolerance.leadingZeroBitCount)
    let shared = PacingInstant(nanoseconds: nanoseconds.adding(grid - 1) & -grid)
    // Near the end of time the grid has no further instant.
    return Swift.max(self, shared)
  }
}
