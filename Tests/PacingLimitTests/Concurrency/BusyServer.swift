import Foundation
import Pacing
import PacingTesting

/// A server with workers and a queue half as long, and clients that always have another call to
/// make, each with a limit of its own: a simulation on virtual time.
///
/// A call takes a worker for a time that is distributed exponentially. Above the workers calls
/// wait, and so the server slows down; above its queue it refuses, which takes a round trip.
struct BusyServer {
  /// What clients have seen since the last look.
  struct Score {
    var served = 0
    var refused = 0
    /// From the start of each call that was served to its end.
    var latencies = [Int]()

    /// The share of calls that were refused.
    var refusedShare: Double { Double(refused) / Double(max(1, served + refused)) }

    func percentile(_ percent: Int) -> Int {
      latencies.isEmpty ? 0 : latencies.sorted()[(latencies.count - 1) * percent / 100]
    }
  }

  private enum Event {
    case served(Call)
    case refused(Call)
  }

  private struct Call {
    let client: Int
    let permit: Permit
    let start: Int
  }

  /// Microseconds.
  private static let roundTrip = 20_000
  private static let serviceTime = 100_000.0

  private(set) var scores: [Score]
  private let clock: ManualClock
  private let limits: [ConcurrencyLimit]
  private var workers: Int
  private var running = 0
  private var queue = [Call]()
  private var events = Agenda<Event>()
  private var now = 0
  private var random: SplitMix64

  init(
    workers: Int, _ limits: [ConcurrencyLimit], clock: ManualClock, seed: UInt64
  ) {
    self.workers = workers
    self.limits = limits
    self.clock = clock
    random = SplitMix64(seed: seed)
    scores = limits.map { _ in Score() }
  }

  /// Lets calls come and go for a time with so many workers, and returns what became of them.
  mutating func run(milliseconds: Int, workers: Int) -> [Score] {
    self.workers = workers
    let end = now + milliseconds * 1000
    scores = limits.map { _ in Score() }
    serve()
    callAll()
    while let (at, event) = events.next(before: end) {
      clock.advance(by: .microseconds(at - now))
      now = at
      finish(event)
      serve()
      callAll()
    }
    clock.advance(by: .microseconds(end - now))
    now = end
    return scores
  }

  private mutating func finish(_ event: Event) {
    switch event {
    case .served(let call):
      running -= 1
      scores[call.client].served += 1
      scores[call.client].latencies.append(now - call.start)
      call.permit.release()
    case .refused(let call):
      scores[call.client].refused += 1
      call.permit.drop()
    }
  }

  private mutating func serve() {
    while running < workers, !queue.isEmpty {
      let call = queue.removeFirst()
      running += 1
      let span = -Self.serviceTime * log(Double.random(in: 0.000_001..<1, using: &random))
      events.add(.served(call), at: now + Int(span))
    }
  }

  /// Starts calls while a client has a permit, in an order that favours none.
  private mutating func callAll() {
    var clients = Array(limits.indices).shuffled(using: &random)
    while let client = clients.popLast() {
      guard let permit = limits[client].tryAcquire() else { continue }
      let call = Call(client: client, permit: permit, start: now)
      if running == workers, queue.count >= workers / 2 {
        events.add(.refused(call), at: now + Self.roundTrip)
      } else {
        queue.append(call)
        serve()
      }
      clients.insert(client, at: 0)
    }
  }
}

/// What is to happen, the soonest last.
private struct Agenda<Event> {
  private var entries = [(at: Int, event: Event)]()

  mutating func add(_ event: Event, at instant: Int) {
    var range = entries.startIndex..<entries.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        entries[middle].at <= instant
        ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    entries.insert((instant, event), at: range.lowerBound)
  }

  mutating func next(before end: Int) -> (at: Int, event: Event)? {
    guard let last = entries.last, last.at < end else { return nil }
    entries.removeLast()
    return (last.at, last.event)
  }
}
