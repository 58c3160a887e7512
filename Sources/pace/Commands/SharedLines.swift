import Dispatch
import Pacing
import PacingRedis
import Synchronization

/// Lines that pass at a rate which several processes share.
///
/// ## Concurrency
/// Thread-safe. `copy` blocks its thread; an interruption ends its wait.
final class SharedLines: Sendable {
  private struct State {
    var wait: (task: Task<Void, Never>, done: DispatchSemaphore)?
    var failure: CommandError?
    var isInterrupted = false
  }

  private let limiter: SharedRateLimiter<String>
  private let name: String
  private let ahead: Int
  private let state = Mutex(State())

  init(rate: Rate, burst: Int, at address: RedisAddress) throws(CommandError) {
    let connection = RedisConnection(host: address.host, port: address.port)
    let store = RedisStore(StorePolicy(timeout: .seconds(1))) { call in
      try await connection.numbers([call.command] + call.words)
    }
    name = address.name
    ahead = max(1, rate.linesInAdvance)
    do {
      limiter = try SharedRateLimiter(
        checking: rate, burst: burst, in: store, onFailure: .deny
      ) { $0 }
    } catch {
      throw .usage(error.description)
    }
  }

  /// Copies lines until the input ends or the work is interrupted.
  ///
  /// What has been read is written in any case, so no more is read than `LimitedLines` reads ahead:
  /// those lines pass the limit when a signal or a failure ends the copy.
  func copy(in session: Session) throws(CommandError) {
    session.interruption.whenInterrupted { [self] in
      let wait = state.withLock { state in
        state.isInterrupted = true
        return state.wait
      }
      wait?.task.cancel()
      // A task that waits for the store's answer continues up to the store's timeout.
      wait?.done.signal()
    }
    var lines = LineReader(session.input(), ahead: ahead)
    while let line = try next(&lines) {
      let failure = acquire()
      try session.output.write(line)
      if let failure {
        try session.output.write(lines.takeAll())
        throw failure
      }
    }
  }

  private func next(_ lines: inout LineReader) throws(CommandError) -> Line? {
    do {
      return try lines.next()
    } catch {
      throw .unreadableInput(error)
    }
  }

  /// Waits for a line's turn on this thread; an interruption ends the wait without a failure.
  private func acquire() -> CommandError? {
    let done = DispatchSemaphore(value: 0)
    let isInterrupted = state.withLock { state in
      state.failure = nil
      guard !state.isInterrupted else { return true }
      let task = Task { [self] in
        do {
          try await limiter.acquire(for: name)
        } catch {
          self.state.withLock { $0.failure = Self.failure(for: error) }
        }
        done.signal()
      }
      state.wait = (task, done)
      return false
    }
    guard !isInterrupted else { return nil }
    done.wait()
    return state.withLock { $0.failure }
  }

  /// The failure of a wait that ended with an error, nil if it was interrupted.
  static func failure(for error: any Error) -> CommandError? {
    // It may quote the server.
    error is CancellationError
      ? nil : CommandError("\(error)".onOneLine(atMost: 200), status: .inputOutput)
  }
}
