import Pacing
import PacingTesting

@testable import PacingRedis

/// A server that behaves as a test specifies, with the script's model.
final class ScriptedServer: Sendable {
  enum Behaviour: Sendable {
    case answers
    /// Answers when released.
    case holds
    case fails(String)
    case replies([Int64])
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private struct State {
    var behaviour = Behaviour.answers
    /// How far the server's clock is ahead of the test's.
    var offset = Duration.zero
    var knowsScript = true
    var calls = [ScriptCall]()
    var held = [CheckedContinuation<Void, Never>]()
    var whenHeld = [CheckedContinuation<Void, Never>]()
  }

  let model = ScriptModel()
  let clock: ManualClock
  private let state = Locked(State())

  init(_ clock: ManualClock) {
    self.clock = clock
  }

  var calls: [ScriptCall] { state.withLock { $0.calls } }

  var behaviour: Behaviour {
    get { state.withLock { $0.behaviour } }
    set { state.withLock { $0.behaviour = newValue } }
  }

  /// Sets the server's clock forward, or back.
  func step(by duration: Duration) { state.withLock { $0.offset += duration } }

  func flush() { state.withLock { $0.knowsScript = false } }

  /// Waits until a call is held.
  func isHolding() async {
    await withCheckedContinuation { continuation in
      let isHolding = state.withLock { state in
        if state.held.isEmpty { state.whenHeld.append(continuation) }
        return !state.held.isEmpty
      }
      if isHolding { continuation.resume() }
    }
  }

  /// Lets held calls complete.
  func release() {
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for call in held { call.resume() }
  }

  func store(_ policy: StorePolicy = .standard) -> RedisStore {
    RedisStore(policy, clock: clock) { [self] call in try await run(call) }
  }

  private func run(_ call: ScriptCall) async throws -> [Int64] {
    let (behaviour, isKnown) = state.withLock { state in
      state.calls.append(call)
      if case .source = call.script { state.knowsScript = true }
      return (state.behaviour, state.knowsScript)
    }
    guard isKnown else { throw Failure(description: "NOSCRIPT No matching script.") }
    switch behaviour {
    case .answers: return reply(to: call)
    case .holds:
      // The call is charged on arrival; the answer comes later.
      let reply = reply(to: call)
      await withCheckedContinuation { continuation in
        let waiting = state.withLock { state in
          state.held.append(continuation)
          defer { state.whenHeld = [] }
          return state.whenHeld
        }
        for continuation in waiting { continuation.resume() }
      }
      return reply
    case .fails(let text): throw Failure(description: text)
    case .replies(let numbers): return numbers
    }
  }

  private func reply(to call: ScriptCall) -> [Int64] {
    let numbers = call.arguments.map { Int64($0)! }
    let buckets = call.keys.enumerated().map { index, name in
      let (speed, period) = (numbers[4 * index + 2], numbers[4 * index + 3])
      let terms = BucketTerms(
        burst: Int(numbers[4 * index + 4] / period), speed: speed, period: period)
      return Inquiry.Bucket(name: name, terms: terms, cost: numbers[4 * index + 5])
    }
    let inquiry = Inquiry(buckets, count: Int(numbers[0]), wait: numbers[1])
    let now = clock.now.advanced(by: state.withLock { $0.offset })
    let reply = model.reply(to: inquiry, at: now)
    return inquiry.count < 0 ? [Int64(buckets.count)] : [Int64(reply.granted)] + reply.debts
  }
}

extension SharedRateLimiter where Key == String {
  /// A limiter with 10 tokens per second and a burst of 5, keyed by name.
  convenience init(
    _ store: RedisStore, onFailure failure: StoreFailure = .deny, leasing lease: Lease? = nil,
    rate: Rate = .perSecond(10), burst: Int = 5
  ) {
    self.init(rate: rate, burst: burst, in: store, onFailure: failure, leasing: lease) { $0 }
  }
}
