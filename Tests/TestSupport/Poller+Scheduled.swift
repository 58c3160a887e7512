package import Pacing

extension Poller {
  /// Whether it polls: false while it is idle or suspended, and after its end.
  package var isPolling: Bool { state == .running }

  /// A poller that has started, with a handler on the library's threads.
  package static func scheduled(
    _ schedule: PollSchedule, clock: any Clock<Duration> = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @Sendable (PollResult<Success>) -> Void
  ) -> Poller {
    let poller = Poller(schedule, clock: clock, judging: judging, operation).handle(handler)
    poller.start()
    return poller
  }
}
