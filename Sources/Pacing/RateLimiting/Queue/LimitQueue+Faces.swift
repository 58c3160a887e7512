/// The ways to wait for a limit: async, with a completion, and as a stream.
extension LimitQueue {
  func acquire(_ cost: Int, within timeout: Duration?) async throws {
    try await take(cost, within: timeout.map(Nanoseconds.init(wait:))).get()
  }

  func acquire(
    _ cost: Int, within timeout: Duration?, for owner: some AnyObject & Sendable,
    _ callback: Callback<Result<Void, AcquireError>>
  ) -> Acquisition {
    acquire(cost, within: timeout, for: owner, callback) { $0 }
  }

  /// As above, with an argument for the completion that is made of the result.
  func acquire<Answer: Sendable>(
    _ cost: Int, within timeout: Duration?, for owner: some AnyObject & Sendable,
    _ callback: Callback<Answer>,
    answer: @escaping @Sendable (Result<Void, AcquireError>) -> Answer
  ) -> Acquisition {
    let request = Turn.request(for: owner, callback, in: service, answer: answer)
    let place = enter(cost, within: timeout.map(Nanoseconds.init(wait:)), request)
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

extension Turn {
  /// The request of a completion, which retains the limit while it waits, so that the limit does
  /// not end first.
  ///
  /// What the completion captures is released where it has run, not on the thread that tells it,
  /// which may be the timer's.
  static func request<Answer: Sendable>(
    for owner: some AnyObject & Sendable, _ callback: Callback<Answer>, in service: TimerService,
    answer: @escaping @Sendable (Result<Void, AcquireError>) -> Answer
  ) -> Request {
    let waiting = Locked<(owner: any AnyObject & Sendable, body: @Sendable (Answer) -> Void)?>(
      (owner, callback.body))
    return { [place = callback.place] outcome in
      guard let result = outcome.result else { return }
      let answer = answer(result)
      place.perform(in: service) {
        let waiting = waiting.withLock { $0.take() }
        waiting?.body(answer)
      }
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
