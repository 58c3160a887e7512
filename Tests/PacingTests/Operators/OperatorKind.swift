import Pacing
import PacingTesting
import TestSupport

/// Every operator, with settings that decide a single first value within ten milliseconds.
enum OperatorKind: CaseIterable {
  case debounced, throttled, audited, sampled, batched, delayed, timeout
  case debouncedByKey, throttledByKey, auditedByKey, sampledByKey

  private typealias Base = Source<String, Fault>
  private static let span = Duration.milliseconds(10)

  /// A run of the operator, for a test that takes elements one by one.
  func run(_ source: Source<String, Fault>, _ clock: ManualClock) -> any OperatorRun {
    switch self {
    case .debounced: Run(source.debounced(for: Self.span, clock: clock)) { $0 }
    case .throttled:
      Run(source.throttled(every: Self.span, edges: .trailing, clock: clock)) { $0 }
    case .audited: Run(source.audited(for: Self.span, clock: clock)) { $0 }
    case .sampled: Run(source.sampled(every: Self.span, clock: clock)) { $0 }
    case .batched:
      Run(source.batched(maximumCount: 9, maximumDelay: Self.span, clock: clock)) { $0.last }
    case .debouncedByKey:
      Run(source.debounced(for: Self.span, by: { _ in 0 }, clock: clock)) { $0 }
    case .throttledByKey:
      Run(source.throttled(every: Self.span, by: { _ in 0 }, edges: .trailing, clock: clock)) { $0 }
    case .auditedByKey: Run(source.audited(for: Self.span, by: { _ in 0 }, clock: clock)) { $0 }
    case .sampledByKey: Run(source.sampled(every: Self.span, by: { _ in 0 }, clock: clock)) { $0 }
    case .delayed: Run(source.delayed(by: Self.span, clock: clock)) { $0 }
    case .timeout: Run(source.timeout(after: .seconds(9), clock: clock)) { $0 }
    }
  }

  /// The operator as a sequence of a uniform type.
  func sequence(_ source: Source<String, Fault>, _ clock: ManualClock) -> OperatorSequence {
    OperatorSequence(kind: self, source: source, clock: clock)
  }
}

/// An operator of any kind as a sequence.
struct OperatorSequence: AsyncSequence, Sendable {
  let kind: OperatorKind
  let source: Source<String, Fault>
  let clock: ManualClock

  struct Iterator: AsyncIteratorProtocol {
    let run: any OperatorRun

    mutating func next() async throws -> String? { try await run.next() }
  }

  func makeAsyncIterator() -> Iterator { Iterator(run: kind.run(source, clock)) }
}

protocol OperatorRun: AnyObject {
  func next() async throws -> String?
  func drop()
}

final class Run<Operated: AsyncSequence>: OperatorRun {
  private var iterator: Operated.AsyncIterator?
  private let text: (Operated.Element) -> String?

  init(_ operated: Operated, text: @escaping (Operated.Element) -> String?) {
    iterator = operated.makeAsyncIterator()
    self.text = text
  }

  func next() async throws -> String? {
    try await iterator?.next(isolation: #isolation).flatMap(text)
  }

  func drop() {
    iterator = nil
  }
}

/// Counts down to one, without suspending.
struct Countdown: AsyncSequence, Sendable {
  let start: Int

  init(from start: Int) {
    self.start = start
  }

  struct Iterator: AsyncIteratorProtocol {
    var left: Int

    mutating func next() async -> Int? {
      defer { left -= 1 }
      return left > 0 ? left : nil
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(left: start) }
}
