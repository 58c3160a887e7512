import Pacing
import PacingTesting
import TestSupport

/// Notes what requests on a manual clock were told: "a 30" for a grant that counts from 30 ms,
/// "b deadline" for a refusal.
final class GrantLog: Sendable {
  private let clock: ManualClock
  private let origin: PacingInstant
  private let entries = Locked([String]())

  init(_ clock: ManualClock) {
    self.clock = clock
    origin = clock.now
  }

  /// What has been told so far, without letting time pass or timers run.
  var lines: [String] {
    clock.runReady()
    return entries.withLock { $0 }
  }

  func note(_ text: String) { entries.withLock { $0.append(text) } }

  func milliseconds(_ instant: PacingInstant) -> Double {
    Double(origin.duration(to: instant).attoseconds) / 1e15
  }

  private func noting(_ name: String, _ result: Result<PacingInstant, AcquireError>) {
    switch result {
    case .success(let instant):
      let milliseconds = milliseconds(instant)
      let isWhole = milliseconds == milliseconds.rounded()
      note("\(name) \(isWhole ? "\(Int(milliseconds))" : "\(milliseconds)")")
    case .failure(let error): note("\(name) \(error.reason)")
    }
  }

  /// A completion of a rate limit.
  func charge(_ name: String) -> @Sendable (Result<Charge, AcquireError>) -> Void {
    { self.noting(name, $0.map(\.instant)) }
  }

  /// A completion of a limit by key.
  func keyed<Key>(
    _ name: String, of type: Key.Type = Key.self
  ) -> @Sendable (Result<KeyedRateLimiter<Key>.Charge, AcquireError>) -> Void {
    { self.noting(name, $0.map(\.instant)) }
  }

  /// A completion of a concurrency limit, which keeps the permit.
  func permit(
    _ name: String, in permits: Locked<[String: Permit]>
  ) -> @Sendable (Result<Permit, AcquireError>) -> Void {
    { result in
      if case .success(let permit) = result { permits.withLock { $0[name] = permit } }
      self.noting(name, result.map { _ in self.clock.now })
    }
  }
}
