import Pacing
import TestSupport
import Testing

@Suite("Sleeps and memory", .alone)
struct SleepMemoryTests {
  private struct Weak {
    weak var sleep: OneShot<SleepEnd>?
  }

  // Of its own: what the process has grows with whatever else runs in it.
  @Test("swift#60441: hour-long sleeps that are cancelled give their memory back at once")
  func cancelledSleeps() async {
    let service = DispatchClock.apart().service
    for _ in 0..<Soak.count(16) {
      let sleeps = await cancelledSleeps(10_000, on: service)
      #expect(sleeps.allSatisfy { $0.sleep == nil })
      #expect(service.pendingCount == 0 && service.capacity <= 2048)
    }
  }

  private func cancelledSleeps(_ count: Int, on service: TimerService) async -> [Weak] {
    await withTaskGroup(of: Bool.self) { group in
      let sleeps = (0..<count).map { _ in
        let sleep = OneShot<SleepEnd>(countedBy: service.manual)
        group.addTask {
          do {
            try await service.sleep(until: service.now.advanced(by: .seconds(3600)), as: sleep)
            return false
          } catch {
            return error is CancellationError
          }
        }
        return Weak(sleep: sleep)
      }
      group.cancelAll()
      for await wasCancelled in group where !wasCancelled { Issue.record("it woke up") }
      return sleeps
    }
  }
}
