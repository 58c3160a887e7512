/// One run through a schedule's polls as a stream: its readers take turns.
final class PollRun<Success: Sendable>: Sendable {
  private struct Line {
    var isBusy = false
    var waiting = FIFO<OneShot<Void>>()
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
    await takeTurn()
    defer { passTurn() }
    core.change { $0.start(at: $1) }
    return await core.poll(request)
  }

  private func takeTurn() async {
    let wait = OneShot<Void>()
    let isFree = line.withLock { line in
      if line.isBusy { line.waiting.append(wait) }
      defer { line.isBusy = true }
      return !line.isBusy
    }
    if !isFree { await wait.outcome() }
  }

  private func passTurn() {
    let next = line.withLock { line in
      let next = line.waiting.popFirst()
      line.isBusy = next != nil
      return next
    }
    next?.resolve(())
  }
}
