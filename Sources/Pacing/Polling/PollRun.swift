/// One run through a schedule's polls as a stream: its readers take turns.
final class PollRun<Success: Sendable>: Sendable {
  private struct Line {
    var isBusy = false
    var waiting = FIFO<OneShot<Bool>>()
  }

  private let core: PollCore
  private let request: PollRequest<Success>
  private let line = Locked(Line())

  init(_ core: PollCore, _ request: PollRequest<Success>) {
    self.core = core
    self.request = request
  }

  /// Waits until the next poll is due, and makes it; nil at the end.
  func next() async -> PollResult<Success>? {
    guard await takeTurn() else { return nil }
    defer { passTurn() }
    core.change { $0.start(at: $1) }
    return await core.poll(request)
  }

  /// - Returns: Whether it is the caller's turn; false if its task was cancelled before.
  private func takeTurn() async -> Bool {
    let wait = OneShot<Bool>()
    let isFree = line.withLock { line in
      if line.isBusy { line.waiting.append(wait) }
      defer { line.isBusy = true }
      return !line.isBusy
    }
    return isFree ? true : await wait.outcome(ifCancelled: false)
  }

  private func passTurn() {
    while let next = nextInLine() {
      // One whose task was cancelled has left.
      if next.resolve(true) { return }
    }
  }

  private func nextInLine() -> OneShot<Bool>? {
    line.withLock { line in
      let next = line.waiting.popFirst()
      line.isBusy = next != nil
      return next
    }
  }
}
