extension Pacer {
  /// Waits until the handlers of everything flushed, decided or running have ended, regardless of
  /// later values.
  func waitForHandler() async {
    let wait = OneShot<Void>()
    perform { queue, _ in queue.end(wait) }
    await outcome(of: wait)
  }

  /// As `update` with a flush, then waits as `waitForHandler` does.
  func flushAndWait(
    _ change: (inout State, PacingInstant) -> Bool, excess: (inout State) -> Output? = { _ in nil }
  ) async -> Bool {
    let wait = OneShot<Void>()
    let result = performWhenDecided { queue, now, actions in
      let result = queue.update(at: now, &actions, change, excess: excess)
      queue.end(wait)
      return result
    }
    await outcome(of: wait)
    return result
  }

  private func outcome(of wait: OneShot<Void>) async {
    guard let manual = service.manual else { return await wait.outcome() }
    await manual.outcome(of: wait)
  }

  /// Drops decided deliveries, now and later: the handler's owner is gone.
  func leave() {
    perform { queue, actions in queue.leave(at: service.now, &actions) }
  }
}
