/// A target's one entry in the timer service; it lives next to the state, under the target's lock.
///
/// Deadlines are lazy: one that moves later is not told to the service. The entry fires at the
/// earlier time, the target finds nothing due, and sets the entry again. A manual clock's service
/// is told every deadline, so that equal ones come in the order of the calls that set them.
struct TimerEntry {
  private var handle = TimerService.Handle.none
  /// What the service was told; `distantFuture` if there is no entry.
  private var deadline = PacingInstant.distantFuture

  /// Whether `set` would do nothing for this deadline: a wake comes in time, or none is wanted.
  @inline(__always)
  func serves(_ deadline: PacingInstant, in service: TimerService) -> Bool {
    if self.deadline == deadline { return true }
    return service.isLazy && self.deadline < deadline && deadline != .distantFuture
  }

  /// Sets, moves or clears the entry, so that `target` is woken at `deadline` or before.
  ///
  /// - Returns: Whether the caller owes the service an `arm()` once it has released its lock.
  @inline(never)
  mutating func set(
    _ deadline: PacingInstant, tolerance: Nanoseconds, for target: any TimerTarget,
    in service: TimerService
  ) -> Bool {
    guard deadline != .distantFuture else {
      if self.deadline != .distantFuture {
        self.deadline = .distantFuture
        // The target holds itself alive while it is being called, so this release runs no deinit.
        service.cancel(handle)
      }
      return false
    }
    guard !serves(deadline, in: service) else { return false }
    let superseded = self.deadline == .distantFuture ? nil : handle
    self.deadline = deadline
    let mustArm: Bool
    (handle, mustArm) = service.schedule(
      target, at: deadline, tolerance: tolerance, replacing: superseded)
    return mustArm
  }

  /// Notes that the entry of this handle has fired; the handle of a superseded one is ignored.
  mutating func fired(_ handle: TimerService.Handle) {
    if self.handle == handle { deadline = .distantFuture }
  }
}

/// A timer entry with a lock of its own, for a target that decides nothing together with it.
struct LockedTimerEntry: ~Copyable, Sendable {
  private let entry = Locked(TimerEntry())

  /// As `TimerEntry.set`; the target calls it outside its own locks.
  func set(
    _ deadline: PacingInstant, tolerance: Nanoseconds = 0, for target: any TimerTarget,
    in service: TimerService
  ) {
    let mustArm = entry.withLock {
      $0.set(deadline, tolerance: tolerance, for: target, in: service)
    }
    if mustArm { service.arm() }
  }

  func fired(_ handle: TimerService.Handle) {
    entry.withLock { $0.fired(handle) }
  }
}
