internal import Dispatch

/// The process's one Dispatch source: made once, activated once, never suspended, never released.
///
/// Every crash that Dispatch sources are known for comes from releasing or resuming one in the
/// wrong state, and this one is in the same state for as long as the process lives.
final class DispatchWaker: Waker {
  // `DispatchSourceTimer` is not marked Sendable; its methods may be called from any thread, and
  // the service sees to it that one thread at a time does.
  private nonisolated(unsafe) let source: any DispatchSourceTimer

  init() {
    let queue = DispatchQueue(label: "pacing.timer", qos: .userInteractive)
    source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
  }

  /// Starts the source, set to no deadline yet, and gives it what to do on a wake.
  func activate(_ wake: @escaping @Sendable () -> Void) {
    source.setEventHandler(handler: wake)
    source.schedule(deadline: .distantFuture, repeating: .never, leeway: .nanoseconds(0))
    source.activate()
  }

  /// Sets the one deadline, in place of the one before.
  func set(_ deadline: PacingInstant) {
    let time = DispatchTime(uptimeNanoseconds: UInt64(Swift.max(1, deadline.nanoseconds)))
    source.schedule(deadline: time, repeating: .never, leeway: .nanoseconds(0))
  }
}
