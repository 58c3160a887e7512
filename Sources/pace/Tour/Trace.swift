/// Timed events that the tour plays.
struct Trace: Sendable {
  struct Event: Sendable {
    let time: Duration
    let text: String
  }

  let events: [Event]

  private init(_ events: [(milliseconds: Int, text: String)]) {
    self.events = events.map { Event(time: .milliseconds($0.milliseconds), text: $0.text) }
  }

  /// Plays the events in real time.
  ///
  /// - Throws: `CancellationError` if the tour is interrupted.
  func play(on recorder: SceneRecorder, _ receive: (Event, Int) -> Void) async throws {
    for (index, event) in events.enumerated() {
      try await recorder.wait(until: event.time)
      receive(event, index)
    }
  }

  /// Two words typed into a search field without a break: no pause is as long as 300 ms, and all of
  /// it takes longer than 600 ms.
  static let typing = Trace([
    (60, "t"), (171, "o"), (243, "k"), (359, "e"), (436, "n"), (548, " "),
    (640, "b"), (752, "u"), (844, "c"), (917, "k"), (1_028, "e"), (1_115, "t"),
  ])

  /// A log: two seconds of a run of this tool's end-to-end script.
  static let log = Trace([
    (20, "ok every --missed delay makes all the runs"),
    (25, "ok delay restarts the grid"),
    (429, "ok a signal is passed on to a running command"),
    (834, "ok a signal is passed on to a command that is retried, and ends the attempts"),
    (1_239, "ok a signal ends a backoff"),
    (1_245, "ok retry passes success on"),
    (1_279, "ok retry retries until it succeeds"),
    (1_281, "ok and no further"),
    (1_344, "ok retry passes the last status on"),
    (1_346, "ok after as many attempts as it may make"),
    (1_354, "ok retry waits no longer than its deadline"),
    (1_355, "ok and then makes no further attempt"),
    (1_357, "ok the last failure is reported at once"),
    (1_669, "ok a constant backoff"),
    (1_671, "ok is waited for"),
    (1_678, "ok retry says which signal ended the command"),
  ])
}
