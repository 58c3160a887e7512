import Foundation
import Pacing
import Synchronization

// snippet: examples-cache
/// Names of users, kept until they change; a burst of changes of one user is one read.
actor Names {
  private var names = [Int: String]()
  private let changes: KeyedDebouncer<Int, Void>
  private let read: @Sendable (Int) async -> String

  init(
    clock: any Clock<Duration> = .dispatch, read: @escaping @Sendable (Int) async -> String
  ) {
    changes = KeyedDebouncer(for: .milliseconds(200), maximumWait: .seconds(2), clock: clock)
    self.read = read
  }

  func name(of user: Int) async -> String {
    if let name = names[user] { return name }
    let name = await read(user)
    names[user] = name
    return name
  }

  /// Call this for each change; no user waits for another.
  nonisolated func changed(_ user: Int) { changes.send((), for: user) }

  /// Reads again what has changed, until the task is cancelled.
  func run() async {
    for await change in changes.ticks() { names[change.key] = await read(change.key) }
  }
}
// end

// snippet: examples-configuration
/// Applies a file once it has been unchanged for a second: never while it is being written.
final class ConfigurationFile: Sendable {
  private let watch: DispatchTimer

  init(
    _ file: URL, clock: any Clock<Duration> = .dispatch, apply: @escaping @Sendable (Data) -> Void
  ) {
    let settled = Debouncer<Void>(for: .seconds(1), clock: clock) {
      if let data = try? Data(contentsOf: file) { apply(data) }
    }
    let seen = Mutex(Self.date(of: file))
    watch = .scheduled(every: .milliseconds(250), clock: clock) { _ in
      let date = Self.date(of: file)
      let isNew = seen.withLock { seen in
        defer { seen = date }
        return seen != date
      }
      if isNew { settled.send() }
    }
  }

  private static func date(of file: URL) -> Date? {
    try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
  }
}
// end

// snippet: examples-inserts
/// Writes rows in groups of a hundred, at most 50 ms after the first, and retries failures.
final class EventLog: Sendable {
  private let rows: Batcher<String>

  init(
    clock: any Clock<Duration> = .dispatch,
    insert: @escaping @Sendable ([String]) async throws -> Void
  ) {
    let policy = RetryPolicy(
      backoff: .exponential(from: .milliseconds(100)), maximumAttempts: 3)
    rows = Batcher(
      BatchLimit(
        maximumCount: 100, maximumDelay: .milliseconds(50), maximumPendingBatches: 50),
      clock: clock
    ).handle { rows in
      do {
        try await retry(policy, clock: clock) { _ in try await insert(rows) }
      } catch {
        print("lost \(rows.count) rows: \(error)")
      }
    }
  }

  func append(_ row: String) { rows.send(row) }

  /// Writes what is left, and returns when it is written.
  func close() async {
    rows.finish()
    await rows.flushAndWait()
  }
}
// end
