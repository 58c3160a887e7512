/// A queue with its kind of limit erased, on which the verbs of every limit are built.
protocol AnyLimitQueue: AnyObject, Sendable {
  func peek(_ cost: Int) -> Decision
  func take(upTo count: Int) -> Int
  var available: Int { get }
  var waitingCount: Int { get }
  var statistics: LimitStatistics { get }
  func pause(for span: Nanoseconds)
  func pause(until instant: PacingInstant)
  func resume()
  func reset()
  func close(_ outcome: Turn.Outcome)
  func acquire(
    _ cost: Int, within timeout: Duration?, for owner: some AnyObject & Sendable,
    _ callback: Callback<Result<Void, AcquireError>>
  ) -> Acquisition
  func takeNext(_ cost: Int) async -> PacingInstant?
  func ticks() -> AsyncStream<Grant>
}

extension LimitQueue: AnyLimitQueue where State: QueuedLimit {
  func request(_ cost: Int) -> Decision {
    decidePlainly { $0.requestPlainly(cost, at: $1) } ?? update { $0.request(cost, at: $1) }
  }
  func peek(_ cost: Int) -> Decision { update { $0.peek(cost, at: $1) } }
  func take(upTo count: Int) -> Int { update { $0.take(upTo: count, at: $1) } }
  var available: Int { update { $0.available(at: $1) } }
  var waitingCount: Int { update { limit, _ in limit.waitingCount } }
  var statistics: LimitStatistics { update { limit, _ in limit.statistics } }
  func pause(for span: Nanoseconds) { update { $0.pause(until: $1 + span, at: $1) } }
  func pause(until instant: PacingInstant) { update { $0.pause(until: instant, at: $1) } }
  func resume() { update { $0.resume(at: $1) } }
  func reset() { update { $0.reset(at: $1) } }
}
