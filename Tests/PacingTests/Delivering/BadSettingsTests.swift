import Pacing
import Testing

@Suite("Settings that make no sense")
struct BadSettingsTests {
  #if os(Linux) || os(macOS) || os(Windows)
    @Test("stops the program on a period, a size, a limit or an overlap of nothing, and says which")
    func programmerErrors() async {
      await #expect(processExitsWith: .failure) { _ = Sampler<Int>(every: .zero) }
      await #expect(processExitsWith: .failure) { _ = BatchLimit(maximumCount: 0) }
      await #expect(processExitsWith: .failure) { _ = BatchLimit.every(.zero) }
      await #expect(processExitsWith: .failure) { _ = BatchLimit(maximumWeight: -1) }
      await #expect(processExitsWith: .failure) { _ = BatchLimit(maximumPendingBatches: 0) }
      await #expect(processExitsWith: .failure) { _ = TickSchedule.every(.seconds(-1)) }
      await #expect(processExitsWith: .failure) { _ = TickSchedule.every(.seconds(1), count: 0) }
      await #expect(processExitsWith: .failure) {
        _ = TickSchedule.every(.seconds(1), jitter: .seconds(1))
      }
      await #expect(processExitsWith: .failure) {
        _ = TickSchedule.every(.seconds(1), missed: .burst(limit: 0))
      }
      await #expect(processExitsWith: .failure) {
        Debouncer<Int>(for: .zero).handle(overlap: .queue(0)) { _ in }
      }
      await #expect(processExitsWith: .failure) {
        Debouncer<Int>(for: .zero).handle(overlap: .concurrent(0)) { _ in }
      }
      await #expect(processExitsWith: .failure) {
        KeyedDebouncer<Int, Int>(for: .zero).handle(overlap: .queue(0)) { _ in }
      }
      await #expect(processExitsWith: .failure) {
        _ = KeyedDebouncer<Int, Int>(for: .zero, maximumKeys: 0)
      }
    }

    @Test("the message names the parameter, the value and the requirement")
    func message() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { _ = TickSchedule.every(.seconds(-1)) }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("every must be positive, but is -1.0 seconds"))
    }
  #endif
}
