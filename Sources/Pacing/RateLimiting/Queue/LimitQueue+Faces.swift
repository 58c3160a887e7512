/// The ways to wait for a limit: async, with a completion, and as a stream.
extension LimitQueue {
  func acquire(_ cost: Int, within timeout: Duration?) async throws {
    try await take(cost, within: timeout.map(Nanoseconds.init(wait:))).get()
  }

  func acquire(
    _ cost: Int, within timeout: Duration?, for owner: some AnyObject & Sendable,
    _ callback: Callback<Result<Void, AcquireError>>
  ) -> Acquisition {
    let service = service
    return acquire(cost, within: timeout, for: owner) { callback.call($0, in: service) }
  }

  /// A waiting request retains the limit that owns the queue, so that it does not end first.
  func acquire(
    _ cost: Int, within timeout: Duration?, for owner: some AnyObject & Sendable,
    _ complete: @escaping @Sendable (Result<Void, AcquireError>) -> Void
  ) -> Acquisition {
    let place = enter(cost, within: timeout.map(Nanoseconds.init(wait:))) {
      guard let result = $0.result else { return }
      withExtendedLifetime(owner) { complete(result) }
    }
    guard let place else { return Acquisition(withdraw: nil) }
    return Acquisition { self.withdraw(place) }
  }

  func ticks() -> AsyncStream<Grant> {
    Grant.stream { [self] in await takeNext(1) }
  }
}

extension Grant {
  /// Numbers the grants.
  static func stream(
    _ takeNext: @escaping @Sendable () async -> PacingInstant?
  ) -> AsyncStream<Grant> {
    let count = Locked(0)
    return AsyncStream {
      guard let instant = await takeNext() else { return nil }
      let index = count.withLock { count in
        defer { count += 1 }
        return count
      }
      return Grant(index: index, instant: instant)
    }
  }
}

extension Turn.Outcome {
  /// The argument of a completion, nil if it is not called.
  var result: Result<Void, AcquireError>? {
    switch self {
    case .granted: .success(())
    case .refused(let error): .failure(error)
    case .withdrawn, .ended: nil
    }
  }

  /// Returns or throws the outcome to a task.
  func get() throws {
    guard let result else { throw CancellationError() }
    try result.get()
  }
}
