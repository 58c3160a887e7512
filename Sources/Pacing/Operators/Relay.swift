/// One run of an operator: the task that reads upstream, the mailbox with the outputs, and the
/// error that is thrown after the last of them.
///
/// The error has a field of its own, so that it replaces no output and no output replaces it.
///
/// ## Concurrency
/// The reader and the consumer are two tasks, and a timer may fill or end the mailbox at any time.
final class Relay<Output: Sendable, Failure: Error>: Sendable {
  private struct State {
    /// What comes after the last output is known: an error, or nothing.
    var hasEnding = false
    var failure: Failure?
    var reader: Task<Void, Never>?
    /// The reader, while it is held back until the consumer has taken something.
    var heldBack: OneShot<Void>?
  }

  private let mailbox: Mailbox<Output>
  private let state = Locked(State())

  init(_ mailbox: Mailbox<Output>) {
    self.mailbox = mailbox
  }

  /// Takes the reader, so that it is cancelled with the run.
  func adopt(_ reader: Task<Void, Never>) {
    let isTooLate = state.withLock { state in
      if !state.hasEnding { state.reader = reader }
      return state.hasEnding
    }
    if isTooLate { reader.cancel() }
  }

  func offer(_ output: Output) {
    mailbox.offer(output)?.resume()
  }

  /// Returns when fewer than `room` outputs wait for the consumer, empty batches aside.
  func waitForRoom(_ room: Int) async {
    while mailbox.singleCount >= room {
      let wait = OneShot<Void>()
      let isHeldBack = state.withLock { state in
        // Asked again here: the consumer looks for the reader after it has taken an output.
        guard mailbox.singleCount >= room else { return false }
        state.heldBack = wait
        return true
      }
      if isHeldBack { await wait.outcome() }
    }
  }

  /// Says what is thrown when the mailbox has ended; only the first failure counts.
  func fail(with failure: Failure) {
    state.withLock { state in
      guard !state.hasEnding else { return }
      state.hasEnding = true
      state.failure = failure
    }
  }

  /// Ends the mailbox and the reader, with an error or without one.
  func end(throwing failure: Failure?) {
    if let failure { fail(with: failure) }
    mailbox.end()?.resume()
    releaseReader()
  }

  /// Cancels the reader, and holds it back no longer.
  func releaseReader() {
    let (reader, heldBack) = state.withLock { ($0.reader.take(), $0.heldBack.take()) }
    reader?.cancel()
    heldBack?.resolve(())
  }

  func next() async -> Output? {
    let output = await mailbox.next()
    state.withLock { $0.heldBack.take() }?.resolve(())
    return output
  }

  /// What is to be thrown at the end; it is thrown once.
  func takeFailure() -> Failure? {
    state.withLock { $0.failure.take() }
  }

  /// The consumer has gone: nothing more is delivered, no error either.
  func leave() {
    state.release { state in
      state.hasEnding = true
      return state.failure.take()
    }
    // Nothing can come into a mailbox that has ended, so it stays empty.
    let resumption = mailbox.end()
    _ = mailbox.withdraw()
    resumption?.resume()
    releaseReader()
  }
}
