import Pacing

extension NaiveTimer {
  enum Call: CaseIterable {
    case start, suspend, resume, reschedule, reset, suspendKeepingRemaining, fire
  }

  /// Makes a call on a timer and on this one, and returns whether the answers agree.
  ///
  /// `number` is the argument of calls that take one. If `hasDecided`, a tick is decided but has
  /// not started: it is the requested one.
  mutating func agrees(
    with timer: DispatchTimer, on call: Call, _ number: Int, hasDecided: Bool, at now: Int
  ) -> Bool {
    switch call {
    case .start: return timer.start() == start(at: now)
    case .suspend: return timer.suspend() == suspend(keepingRemaining: false, at: now)
    case .resume: return timer.resume() == resume(at: now)
    case .reschedule:
      return timer.reschedule(every: .milliseconds(number)) == reschedule(every: number, at: now)
    case .reset:
      let instant = now + number - 3
      return timer.reset(nextAt: .at(instant)) == reset(nextAt: instant)
    case .suspendKeepingRemaining:
      return timer.suspend(keepingRemaining: true) == suspend(keepingRemaining: true, at: now)
    case .fire: return timer.fireNow() == (hasDecided || fireNow(at: now))
    }
  }
}
