/// The forms in which callers wait for a limit: async, with a closure, and as a stream.
extension LimitQueue {
  func acquire(_ cost: Int, within timeout: Duration?) async throws {
    switch await take(cost, within: timeout.map(Nanoseconds.init(wait:))) {
    case .granted: return
    case .refused(let error): throw error
    case .withdrawn, .ended: throw CancellationError()
    }
  }

  /// A request that waits holds the limit, its owner, so that the limit does not end before it.
  func acquire(
    _ cost: Int, within timeout: Duration?, for owner: some AnyObject & Sendable,
    _ callback: Callback<Result<Void, AcquireError>>
  ) -> Acquisition {
    let place = enter(cost, within: timeout.map(Nanoseconds.init(wait:))) { [self] in
      let result: Result<Void, AcquireError>
      switch $0 {
      case .granted: result = .success(())
      case .refused(let error): result = .failure(error)
      case .withdrawn, .ended: return
      }
      withExtendedLifetime(owner) { callback.call(result, in: service) }
    }
    guard let place else { return Acquisition(withdraw: nil) }
    return Acquisition { self.withdraw(place) }
  }

  func ticks() -> AsyncStream<Grant> {
    let count = Locked(0)
    return AsyncStream { [self] in
      guard let instant = await takeNext(1) else { return nil }
      let index = count.withLock { count in
        defer { count += 1 }
        return count
      }
      return Grant(index: index, instant: instant)
    }
  }
}
