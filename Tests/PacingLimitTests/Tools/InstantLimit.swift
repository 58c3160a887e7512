@testable import Pacing
import Testing

/// A limit with its instants as arguments: what a queue guards, without a lock and a clock.
struct InstantLimit {
  private var contents: QueueContents

  init(_ limits: [Limit], at now: PacingInstant) {
    contents = QueueContents(LimitState(limits, at: now), .unlimited)
  }

  init(
    rate: Rate, burst: Int, initial: Int? = nil, allowsOverdraft: Bool = false,
    at now: PacingInstant
  ) {
    let level = BucketLevel(
      rate: rate, burst: burst, initial: initial, allowsOverdraft: allowsOverdraft, at: now)
    contents = QueueContents(LimitState(level, at: now), .unlimited)
  }

  private mutating func at<Result>(
    _ now: PacingInstant, _ body: (inout QueueContents) -> Result
  ) -> Result {
    contents.begin(at: now, sparing: nil)
    return body(&contents)
  }

  /// Makes a call that passes by the queue too, which must answer the same and leave the same.
  private mutating func both<Answer: Equatable>(
    _ now: PacingInstant, _ plainly: (inout QueueContents) -> Answer,
    _ body: (inout QueueContents) -> Answer
  ) -> Answer {
    var plain = contents
    let answer = at(now, body)
    // At the clock's end the queue can name no instant.
    guard now < .distantFuture else { return answer }
    plain.state.advance(to: now)
    #expect(plainly(&plain) == answer)
    #expect(plain.peek(1) == contents.peek(1))
    #expect(plain.statistics == contents.statistics)
    return answer
  }

  mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool {
    both(now, { $0.tryAcquire(cost) }, { $0.tryAcquire(Costs(cost)) })
  }

  mutating func request(_ cost: Int, at now: PacingInstant) -> Decision {
    both(now, { $0.request(cost) }, { $0.request(Costs(cost)) })
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
