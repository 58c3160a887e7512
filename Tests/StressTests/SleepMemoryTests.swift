import Foundation
import Pacing
import TestSupport
import Testing

@Suite("Sleeps and memory")
struct SleepMemoryTests {
  /// What the process keeps in memory, in bytes; nil where the system does not say it in a file.
  private static var residentBytes: Int? {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ")
    return fields.flatMap { Int($0[1]) }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
  }

  /// A sleep that leaked would keep two kilobytes: 400 MB of these, whose limit leaves room for what
  /// other tests do meanwhile.
  @Test(
    "swift#60441: hour-long sleeps that are cancelled give their memory back at once",
    .enabled(if: residentBytes != nil))
  func cancelledSleeps() async throws {
    let clock = DispatchClock(maximumPending: .max)
    try await cancelSleeps(on: clock, rounds: 2)
    let before = try #require(Self.residentBytes)
    try await cancelSleeps(on: clock, rounds: 20 * Soak.scale)
    let growth = try #require(Self.residentBytes) - before
    #expect(growth < 120_000_000, "\(growth) bytes more")
    #expect(clock.pendingCount == 0)
  }

  private func cancelSleeps(on clock: DispatchClock, rounds: Int) async throws {
    for _ in 0..<rounds {
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<10_000 {
          group.addTask {
            do {
              try await clock.sleep(for: .seconds(3600))
              return false
            } catch {
              return error is CancellationError
            }
          }
        }
        group.cancelAll()
        for await wasCancelled in group where !wasCancelled { Issue.record("it woke up") }
      }
    }
  }
}
