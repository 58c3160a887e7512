import Logging
import Pacing
import ServiceLifecycle

// snippet: recipe-shutdown-services
/// Saves what is pending before the group ends.
struct Saving: Service {
  let edits: Debouncer<String>

  func run() async {
    try? await gracefulShutdown()
    edits.finish()
    await edits.flushAndWait()
  }
}

/// Polls until the group ends; a running poll is cancelled and awaited.
struct Polling: Service {
  let poller: Poller<String>

  func run() async {
    poller.start()
    try? await gracefulShutdown()
    await poller.cancelAndWait()
  }
}
// end

/// Writes what is left before the group ends.
struct Writing: Service {
  let rows: Batcher<String>

  func run() async {
    try? await gracefulShutdown()
    rows.finish()
    await rows.flushAndWait()
  }
}

/// A database, a store of texts, and a service that is polled.
struct Backend: Sendable {
  var insert: @Sendable ([String]) async -> Void
  var save: @Sendable (String) async -> Void
  var status: @Sendable () async throws -> String
}

/// The services of a program, and their tools.
struct Program: Sendable {
  let rows: Batcher<String>
  let edits: Debouncer<String>
  let poller: Poller<String>
  let group: ServiceGroup

  init(
    _ backend: Backend, quiet: Duration = .seconds(5), polling period: Duration = .seconds(10),
    logger: Logger, clock: any Clock<Duration> = .dispatch
  ) {
    // snippet: recipe-shutdown-group
    let limit = BatchLimit(maximumCount: 500, maximumDelay: quiet)
    let rows = Batcher<String>(limit, clock: clock).handle { rows in await backend.insert(rows) }
    let edits = Debouncer<String>(for: quiet, clock: clock).handle { text in
      await backend.save(text)
      rows.send("saved \(text)")
    }
    let poller = Poller(PollSchedule(every: period), clock: clock) {
      try await backend.status()
    }.handle { poll in
      if let status = poll.value { rows.send(status) }
    }
    // Services end in the reverse of this order: what others send to ends last.
    var configuration = ServiceGroupConfiguration(
      services: [Writing(rows: rows), Saving(edits: edits), Polling(poller: poller)],
      gracefulShutdownSignals: [.sigterm], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(20)
    let group = ServiceGroup(configuration: configuration)
    // end
    (self.rows, self.edits, self.poller, self.group) = (rows, edits, poller, group)
  }
}
