/// The one timer under every tool: a queue of deadlines and something that says when they are due.
///
/// Where it stands on the system's clock, that is one Dispatch source for the whole process,
/// activated once and never suspended; services of other readings of time are woken by that one.
/// Under a manual clock it is the thread that calls `advance`, under an adapted one a sleeping
/// task. A tool asks its clock for the service once, when it is made; there is nothing else to do
/// with it.
///
/// ## Concurrency
/// Lock order: a tool's lock, then the service's. The service calls a tool with no lock held.
package final class TimerService: Sendable {
  package typealias Queue = DeadlineQueue<any TimerTarget>
  package typealias Handle = Queue.Handle
  private typealias Due = ContiguousArray<(handle: Handle, payload: any TimerTarget)>

  /// What gives the time.
  private enum Time {
    /// The system's monotonic clock, asked directly.
    case system
    /// The same as of its last tick, asked directly.
    case lastTick
    case keeper(any Timekeeper)
  }

  private struct State {
    var queue = Queue()
    /// What the waker is set to; `distantFuture` after a wake, until it is armed again.
    var armed = PacingInstant.distantFuture
    /// A thread is inside `waker.set`, and will look again when it comes out.
    var isArming = false
    /// A drain is on its way, and will arm when it has finished.
    var isDraining = false
    /// The room for what a drain takes out, kept between drains.
    var room = Due()
  }

  /// Virtual time that is moved by hand, nil for any other.
  package let manual: ManualTime?
  private let time: Time
  /// What wakes the service, nil where time is moved by hand.
  private let waker: (any Waker)?
  /// How many entries may be pending before timers are refused.
  private let limit: Int
  private let state = Locked(State())

  /// How many entries one hold of the lock takes out.
  private static let batch = 256

  /// The service on the system's monotonic clock, made when it is first used.
  static let system = TimerService(.system, waker: DispatchWaker())

  /// The service on the last tick of that clock.
  static let coarse = TimerService(.lastTick, waker: SystemTime(.coarse))

  /// The service on a clock of its own.
  convenience init(_ time: some Timekeeper & Waker, limit: Int = .max) {
    self.init(.keeper(time), waker: time, limit: limit)
  }

  /// The service on virtual time.
  package convenience init(manual: ManualTime) {
    self.init(.keeper(manual), manual: manual, waker: nil)
  }

  private init(
    _ time: Time, manual: ManualTime? = nil, waker: (any Waker)?,
    limit: Int = .max
  ) {
    self.manual = manual
    self.time = time
    self.waker = waker
    self.limit = limit
    switch time {
    case .system, .lastTick:
      // It lives for ever, and a weak reference would make each retain of it several times slower.
      waker?.activate { [unowned self] in drain() }
    case .keeper:
      waker?.activate { [weak self] in self?.drain() }
    }
  }

  deinit {
    waker?.stop()
  }

  /// The current instant.
  @inline(__always)
  package var now: PacingInstant {
    switch time {
    case .system: Platform.now
    case .lastTick: Platform.lastTick
    case .keeper(let keeper): keeper.now
    }
  }

  /// How many entries are pending.
  package var pendingCount: Int { state.withLock { $0.queue.count } }

  /// The earliest deadline, `distantFuture` where nothing is pending.
  package var earliest: PacingInstant { state.withLock { $0.queue.earliest } }

  /// Whether one more timer may start.
  var hasRoom: Bool { limit == .max || pendingCount < limit }

  /// What the wall clock shows at the origin of the service's time.
  ///
  /// Where that was `known` before, it stays so as long as the clocks say nothing else.
  func wallOffset(known: Nanoseconds?) -> Nanoseconds {
    if let manual { return manual.wallOffset }
    // The clocks are not read at one instant, so there is a least and a greatest difference. With
    // the least of them nothing comes early.
    let before = now.nanoseconds
    let wall = Platform.wallTime
    let least = wall.adding(now.nanoseconds.negated)
    let greatest = wall.adding(before.negated)
    guard let known, least <= known, known <= greatest else { return least }
    return known
  }

  /// Runs work at the place that tools call `.shared`: on the library's threads, or, where time is
  /// manual, on the one that advances it.
  func perform(_ work: @escaping @Sendable () -> Void) {
    if let manual {
      manual.enqueue(work)
    } else {
      SharedWorkers.system.perform(WorkItem(work))
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

  /// Sets the waker to the earliest deadline, unless it is set to that or an earlier one.
  ///
  /// Setting a Dispatch source wakes a thread, so it happens outside every lock; one thread at a
  /// time does it, and looks again afterwards. Without that, two callers could set it in inverted
  /// order, and the earlier deadline would be lost.
  package func arm() {
    guard let waker else { return }
    while let deadline = beginArming() {
      waker.set(deadline)
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
    var due = state.withLock { state in
      state.isDraining = true
      state.armed = .distantFuture
      defer { state.room = Due() }
      return state.room
    }
    let now = now
    repeat {
      // Let go of outside the lock: the last reference to a target may go here.
      due.removeAll(keepingCapacity: true)
      takeDue(at: now, into: &due)
      for (handle, target) in due { target.wake(handle) }
    } while due.count == Self.batch
    due.removeAll(keepingCapacity: true)
    state.withLock { state in
      state.isDraining = false
      state.room = due
    }
    arm()
  }

  private func takeDue(at now: PacingInstant, into due: inout Due) {
    state.withLock { state in
      while due.count < Self.batch, let next = state.queue.popDue(at: now) { due.append(next) }
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
