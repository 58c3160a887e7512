@testable import Pacing
import Testing

/// A limit with its instants as arguments: what a queue guards, without a lock and a clock.
struct InstantLimit {
  private var contents: QueueContents

  init(_ limits: [Limit], at now: PacingInstant) {
    contents = QueueContents(LimitState(limits, at: now), .unlimited)
  }

  init(
    rate: Rate, burst: Int, initial: Int? = nil, overdraft: Overdraft = .none,
    at now: PacingInstant
  ) {
    let level = BucketLevel(
      rate: rate, burst: burst, initial: initial, overdraft: overdraft, at: now)
    contents = QueueContents(LimitState(level, at: now), .unlimited)
  }

  private mutating func at<Result>(
    _ now: PacingInstant, _ body: (inout QueueContents) -> Result
  ) -> Result {
    contents.begin(at: now, sparing: nil)
    return body(&contents)
  }

  /// Whether both ways must agree: at the clock's end the queue can name no instant.
  private func isPlain(at now: PacingInstant) -> Bool {
    contents.state.bucket != nil && now < .distantFuture
  }

  mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool {
    var plain = contents
    let answer = at(now) { $0.tryAcquire(Costs(cost)) }
    if isPlain(at: now) { #expect(plain.tryPlainly(cost, at: now) == answer) }
    return answer
  }

  mutating func request(_ cost: Int, at now: PacingInstant) -> Decision {
    var plain = contents
    let answer = at(now) { $0.request(Costs(cost)) }
    if isPlain(at: now) { #expect(plain.requestPlainly(cost, at: now) == answer) }
    return answer
  }

  mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision {
    at(now) { $0.peek(Costs(cost)) }
  }

  mutating func take(upTo count: Int, at now: PacingInstant) -> Int {
    at(now) { $0.take(upTo: count) }
  }

  mutating func available(at now: PacingInstant) -> Int { at(now) { $0.state.available } }

  mutating func penalize(_ cost: Int, at now: PacingInstant) {
    at(now) { $0.state.spend(Costs(cost), at: $0.state.latest) }
  }

  mutating func adopt(_ quota: Quota, at now: PacingInstant) {
    at(now) { $0.adopt(.bucket(quota), since: now) }
  }
}
