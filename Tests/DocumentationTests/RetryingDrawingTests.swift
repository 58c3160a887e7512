import Foundation
import Pacing
import PacingTesting
import Synchronization
import Testing

@Suite("Drawings of Retrying.md")
struct RetryingDrawingTests {
  struct Failed: Error {}

  @Test("are what the tools do", arguments: Drawing.retrying)
  func drawings(drawing: Drawing) async throws {
    try #require(drawing.rows.count > 1)
    for row in drawing.rows.dropFirst() {
      let played = await drawing.playedRetrying(row.label)
      #expect(row.line == played, "\(drawing.kind): \(row.label)")
    }
  }

  @Test("are all there")
  func count() {
    #expect(Drawing.retrying.map(\.kind) == ["retry", "reconnect", "poll"])
  }
}

extension Drawing {
  fileprivate static let retrying: [Drawing] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let path = root.appending(path: "Documentation/Retrying.md")
    return all(in: (try? String(contentsOf: path, encoding: .utf8)) ?? "")
  }()

  fileprivate func playedRetrying(_ label: String) async -> String {
    let timeline = Timeline(steps: rows[0].line.count)
    switch kind {
    case "retry": playRetry(label, on: timeline)
    case "reconnect":
      let healthyPeriod = label == "healthy" ? Duration.seconds(numbers[1]) : nil
      let timer = RetryTimer(
        backoff: .exponential(from: .seconds(numbers[0])), healthyPeriod: healthyPeriod,
        clock: timeline.clock
      ) { timeline.draw(Character("\($0.number)")) }
      timeline.play(rows[0].line) { mark in
        if mark == "s" { timer.succeeded() } else { timer.scheduleNext() }
      }
    case "poll": await playPoll(on: timeline)
    default: return "an unknown kind of drawing"
    }
    return timeline.line
  }

  /// Attempts that last a step and fail, in closures.
  private func playRetry(_ label: String, on timeline: Timeline) {
    let clock = timeline.clock
    var policy = RetryPolicy(
      backoff: .exponential(from: .seconds(numbers[0])),
      maximumAttempts: label == "attempts" ? numbers[1] : nil,
      deadline: label == "deadline" ? .seconds(numbers[2]) : nil)
    if label == "hint" { policy = policy.advised { _ in .retry(after: .seconds(3)) } }
    let timers = Mutex([DispatchTimer]())
    let handle = retry(policy, clock: clock) { attempt, finish in
      timeline.draw(Character("\(attempt.number)"))
      let timer = DispatchTimer.scheduled(after: .seconds(1), clock: clock) {
        finish(Result<Void, any Error>.failure(RetryingDrawingTests.Failed()))
      }
      timers.withLock { $0.append(timer) }
    } completion: { _ in
    }
    clock.advance(by: .seconds(rows[0].line.count - 1))
    handle.cancel()
  }

  /// Polls of a server that is well, or not, as the first row says.
  private func playPoll(on timeline: Timeline) async {
    let (clock, start, server) = (timeline.clock, timeline.clock.now, Array(rows[0].line))
    let schedule = PollSchedule(
      every: .seconds(numbers[0]), slowing: .exponential(from: .seconds(numbers[1])))
    let polling = Task {
      let polls = schedule.results(clock: clock) {
        let step = Int(start.duration(to: clock.now).components.seconds)
        timeline.draw(server[step])
        if server[step] == "!" { throw RetryingDrawingTests.Failed() }
      }
      for await _ in polls {}
    }
    await clock.sleepers(atLeast: 1)
    while let next = clock.nextDeadline, next < start.advanced(by: .seconds(server.count)) {
      clock.advance(to: next)
      await clock.sleepers(atLeast: 1)
    }
    polling.cancel()
    await polling.value
  }
}
