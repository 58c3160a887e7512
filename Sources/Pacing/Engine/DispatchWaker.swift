internal import Dispatch

/// The process's one Dispatch source: made once, activated once, never suspended, never released.
///
/// The crashes that Dispatch sources are known for come from releasing or resuming one in the wrong
/// state. This one never changes its state.
// `DispatchSourceTimer` is marked Sendable only on Apple's systems. Its methods may be called from
// any thread, and the service calls them from one thread at a time.
final class DispatchWaker: Waker, @unchecked Sendable {
  private let source: any DispatchSourceTimer

  init() {
    let queue = DispatchQueue(label: "pacing.timer", qos: .userInteractive)
    source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
  }

  func activate(_ wake: @escaping @Sendable () -> Void) {
    source.setEventHandler(handler: wake)
    source.schedule(deadline: .distantFuture, repeating: .never, leeway: .nanoseconds(0))
    source.activate()
  }

  func set(_ deadline: PacingInstant) {
    let time = DispatchTime(uptimeNanoseconds: UInt64(Swift.max(1, deadline.nanoseconds)))
    source.schedule(deadline: time, repeating: .never, leeway: .nanoseconds(0))
  }
}
