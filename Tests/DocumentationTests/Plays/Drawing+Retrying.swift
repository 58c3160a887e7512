import Pacing
import PacingTesting
import Synchronization

extension Drawing {
  private struct Failed: Error {}

  /// Failures and successes of the first row, or of an operation that always fails.
  func playRetrying(_ label: String, on timeline: Timeline) {
    guard kind != "retry" else { return playRetry(label, on: timeline) }
    let timer = RetryTimer(
      backoff: .exponential(from: .seconds(numbers[0])),
      healthyPeriod: label == "healthy" ? .seconds(numbers[1]) : nil, clock: timeline.clock
    ) { timeline.draw(Character("\($0.number)")) }
    timeline.play(input) { mark in
      if mark == "s" { timer.succeeded() } else { timer.scheduleNext() }
    }
  }

  /// Attempts that last a step and fail, in closures.
  private func playRetry(_ label: String, on timeline: Timeline) {
    let clock = timeline.clock
    var policy = RetryPolicy(
      backoff: .exponential(from: .seconds(numbers[0])),
      maximumAttempts: label == "attempts" ? numbers[1] : nil,
      maximumDuration: label == "deadline" ? .seconds(numbers[2]) : nil)
    if label == "hint" { policy = policy.advised { _ in .retry(after: .seconds(3)) } }
    let timers = Mutex([DispatchTimer]())
    let handle = retry(policy, clock: clock) { attempt, finish in
      timeline.draw(Character("\(attempt.number)"))
      let timer = DispatchTimer.scheduled(after: .seconds(1), clock: clock) {
        finish(Result<Void, any Error>.failure(Failed()))
      }
      timers.withLock { $0.append(timer) }
    } completion: { _ in
    }
    clock.advance(by: .seconds(input.count - 1))
    handle.cancel()
  }

  /// Polls of a server that is well, or not, as the first row says.
  func playPoll(on timeline: Timeline) {
    let (clock, start, server) = (timeline.clock, timeline.clock.now, Array(input))
    let schedule = PollSchedule(
      every: .seconds(numbers[0]), slowing: .exponential(from: .seconds(numbers[1])))
    let poller = Poller(schedule, clock: clock) {
      let step = Int(start.duration(to: clock.now).components.seconds)
      timeline.draw(server[step])
      if server[step] == "!" { throw Failed() }
    }
    poller.start()
    clock.advance(by: .seconds(server.count - 1))
    poller.cancel()
    clock.runReady()
  }
}
