/// The one timer under every tool: a queue of deadlines, and a waker that fires at the earliest.
///
/// On the system's clock the waker is one Dispatch source for the whole process; it also wakes the
/// services of other readings of time. Under a manual clock the thread that calls `advance` is the
/// waker, under an adapted one a sleeping task. A tool asks its clock for the service once.
///
/// ## Concurrency
/// Lock order: a tool's lock, then the service's. The service calls targets with no lock held.
package final class TimerService: Sendable {
  package typealias Queue = DeadlineQueue<any TimerTarget>
  package typealias Handle = Queue.Handle
  private typealias Due = ContiguousArray<(handle: Handle, payload: any TimerTarget)>

  private enum Time {
    /// The system's monotonic clock, read directly.
    case system
    /// The same as of its last tick, read directly.
    case lastTick
    case keeper(any Timekeeper)
  }

  private struct State {
    var queue = Queue()
    var arming = ArmingState()
    var lead = WakeLead()
    /// The buffer for what a drain takes out, kept between drains.
    var room = Due()
    /// Under virtual time, the entries whose instant was served when they were scheduled, FIFO.
    var late = FIFO<Handle>()

    /// Removes the next late entry; none is left when it returns nil.
    ///
    /// Until then it is a drain: a caller that adds another need not arm, and wakes do not nest.
    mutating func takeLate() -> (handle: Handle, payload: any TimerTarget)? {
      while let handle = late.popFirst() {
        guard let target = queue.cancel(handle) else { continue }
        arming.beganDraining()
        return (handle, target)
      }
      arming.endedDraining()
      return nil
    }
  }

  /// The virtual time, nil for any other clock.
  package let manual: ManualTime?
  /// Whether targets need not report a deadline that moves later or is removed: the entry fires at
  /// the earlier one, in vain.
  let isLazy: Bool
  private let time: Time
  /// What wakes the service, nil under virtual time.
  private let waker: (any Waker)?
  private let state = Locked(State())

  /// The number of entries that one hold of the lock takes out.
  private static let batch = 64

  static let system = TimerService(.system, waker: DispatchWaker())

  static let coarse = TimerService(.lastTick, waker: SystemTime(.coarse))

  convenience init(_ time: some Timekeeper & Waker) {
    self.init(.keeper(time), waker: time)
  }

  package convenience init(manual: ManualTime, isLazy: Bool = false) {
    self.init(.keeper(manual), manual: manual, waker: nil, isLazy: isLazy)
  }

  private init(
    _ time: Time, manual: ManualTime? = nil, waker: (any Waker)?, isLazy: Bool = true
  ) {
    self.manual = manual
    self.isLazy = isLazy
    self.time = time
    self.waker = waker
    switch time {
    case .system, .lastTick:
      // It is never released, and a weak reference would make each retain several times slower.
      waker?.activate { [unowned self] in drain() }
    case .keeper:
      waker?.activate { [weak self] in self?.drain() }
    }
  }

  deinit {
    waker?.stop()
  }

  @inline(__always)
  package var now: PacingInstant {
    switch time {
    case .system: Platform.now
    case .lastTick: Platform.lastTick
    case .keeper(let keeper): keeper.now
    }
  }

  package var pendingCount: Int { state.withLock { $0.queue.count } }
  package var capacity: Int { state.withLock { $0.queue.capacity } }

  package var earliest: PacingInstant { state.withLock { $0.queue.earliest } }

  /// The wall time since 1970 UTC at the origin of the service's time: `known`, an earlier result,
  /// unless the clocks contradict it.
  func wallOffset(known: Nanoseconds?) -> Nanoseconds {
    if let manual { return manual.wallOffset }
    // The clocks are not read at one instant, so the difference has a least and a greatest value.
    // With the least one nothing fires early.
    let before = now.nanoseconds
    let wall = Platform.wallTime
    let least = wall.adding(now.nanoseconds.negated)
    let greatest = wall.adding(before.negated)
    guard let known, least <= known, known <= greatest else { return least }
    return known
  }

  /// Runs work at the place that tools call `.shared`: on the library's threads, or under virtual
  /// time on the thread that advances it.
  func perform(_ work: @escaping @Sendable () -> Void) {
    if let manual {
      manual.enqueue(work)
    } else {
      SharedWorkers.system.perform(WorkItem(work))
    }
  }

  /// Adds an entry, or gives the entry of `handle` another deadline.
  ///
  /// - Returns: The entry's handle, and whether the caller owes an `arm()` outside its own lock.
  package func schedule(
    _ target: any TimerTarget, at deadline: PacingInstant, tolerance: Nanoseconds = 0,
    replacing handle: Handle? = nil
  ) -> (handle: Handle, mustArm: Bool) {
    let wake = manual == nil ? deadline.coalesced(within: tolerance) : deadline
    return state.withLock { state in
      let moved = handle.flatMap { state.queue.move($0, to: wake) }
      let entry = moved ?? state.queue.schedule(target, at: wake)
      if let manual, wake <= manual.served { state.late.append(entry) }
      return (entry, state.arming.mustArm(for: wake))
    }
  }

  /// Removes an entry and releases its target; an entry that has fired is ignored.
  package func cancel(_ handle: Handle) {
    // This may be the last reference.
    state.release { $0.queue.cancel(handle) }
  }

  /// Sets the waker to the earliest deadline, unless it is set to that or an earlier one; called
  /// outside every lock.
  ///
  /// Virtual time has no waker: there, it wakes what was late when it was scheduled.
  package func arm() {
    guard let waker else { return wakeLate() }
    while let deadline = beginArming() {
      waker.set(deadline)
      state.withLock { $0.arming.ended() }
    }
  }

  private func beginArming() -> PacingInstant? {
    state.withLock { state in
      guard state.arming.begin(earliest: state.queue.earliest) else { return nil }
      let deadline = state.arming.deadline
      // Virtual and coarse time know no latency to lead.
      guard case .system = time else { return deadline }
      return state.lead.instant(for: deadline, at: Platform.now)
    }
  }

  /// Wakes everything that is due, in deadline order, then arms for the next deadline.
  private func drain() {
    var now = now
    var due = state.withLock { state in
      state.lead.woke(at: now)
      state.arming.beganDraining()
      defer { state.room = Due() }
      return state.room
    }
    while takeDue(at: now, into: &due) {
      // What comes alone begins at once.
      if due.count == 1 {
        due[0].payload.wake(due[0].handle)
      } else {
        SharedWorkers.system.hold()
        for (handle, target) in due { target.wake(handle) }
        SharedWorkers.system.release()
      }
      // Released outside the lock: these may be the last references.
      due.removeAll(keepingCapacity: true)
      // What is due by now needs no wake of its own.
      now = self.now
    }
    state.withLock { state in
      state.arming.endedDraining()
      state.room = due
    }
    arm()
  }

  /// Takes out a batch of what is due; false if nothing is.
  private func takeDue(at now: PacingInstant, into due: inout Due) -> Bool {
    state.withLock { state in
      while due.count < Self.batch, let next = state.queue.popDue(at: now) { due.append(next) }
    }
    return !due.isEmpty
  }

  /// Wakes what was due when it was scheduled: time was moved while its caller decided, by a thread
  /// that may have looked before and will not look again.
  private func wakeLate() {
    while let (handle, target) = state.withLock({ $0.takeLate() }) { target.wake(handle) }
  }

  /// Wakes the earliest entry if it is due at `instant`: one step of a manual clock.
  package func fireNext(dueAt instant: PacingInstant) -> Bool {
    guard let (handle, target) = state.withLock({ $0.queue.popDue(at: instant) }) else {
      return false
    }
    target.wake(handle)
    return true
  }
}
