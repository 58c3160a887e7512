import Pacing
import PacingTesting

/// An actor whose operation runs at most once at a time.
actor Directory {
  private var lookups = 0

  func find(_ name: String) -> String {
    lookups += 1
    return "\(name) \(lookups)"
  }
}

/// A class of the main actor that checks what is typed, and shows the answer.
@MainActor
final class SignUp {
  private var checked = [String]()
  private var check: AsyncDebouncer<String, Bool>?

  init(clock: any Clock<Duration>) {
    check = AsyncDebouncer(for: .milliseconds(300), clock: clock) { [weak self] name in
      await self?.isFree(name) ?? false
    }
  }

  private func isFree(_ name: String) -> Bool {
    checked.append(name)
    return name.count > 3
  }

  static func tryOut() async throws {
    let clock = ManualClock()
    let form = SignUp(clock: clock)
    guard let check = form.check else { return }
    let first = Task { try await check.call("swi") }
    while !check.isPending { await Task.yield() }
    let second = Task { try await check.call("swift") }
    while check.statistics.received < 2 { await Task.yield() }
    clock.advance(by: .milliseconds(300))
    let outcomes = (try await first.value, try await second.value)
    verify(outcomes.0 == .superseded && outcomes.1 == .executed(true), "each caller is told")
    verify(form.checked == ["swift"], "only the newest was checked")
  }
}

func callOperations() async throws {
  try await SignUp.tryOut()
  let clock = ManualClock()
  let directory = Directory()
  let lookup = AsyncThrottler<String, String>(
    every: .zero, overlap: .cancelPrevious, clock: clock
  ) { name in
    await directory.find(name)
  }
  lookup.edges = .leading
  let outcome = try await lookup.call("swift", every: .zero)
  verify(outcome.value == "swift 1", "the actor has answered")
  lookup.finish()
  let late = try await lookup.call("late")
  verify(late == .cancelled && lookup.statistics.dropped(.finished) == 1, "it is over")

  let status = AsyncThrottler<Void, Int>(every: .seconds(5), clock: clock) { 200 }
  let code = try await status.call().value
  verify(code == 200, "a call without input")
  verify(await status.cancelAndWait() == nil, "nothing waits")
}
