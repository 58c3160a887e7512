import Pacing
import Testing

@Suite("Settings that make no sense")
struct BadSettingsTests {
  @Test("limits of a batch that are not constants throw, and say what they must be")
  func batchLimit() throws {
    #expect(throws: ConfigurationError("maximumCount", 0, must: "be positive")) {
      try BatchLimit(validating: 0)
    }
    #expect(throws: ConfigurationError("maximumWeight", -1, must: "be positive")) {
      try BatchLimit(validating: nil, maximumWeight: -1)
    }
    #expect(throws: ConfigurationError("maximumPendingBatches", 0, must: "be positive")) {
      try BatchLimit(validating: 1, maximumPendingBatches: 0)
    }
    let limit = try BatchLimit(validating: 2, maximumDelay: .seconds(-1))
    #expect(limit == BatchLimit(maximumCount: 2, maximumDelay: .zero), "no wait, as for any tool")
  }

  #if os(Linux) || os(macOS) || os(Windows)
    @Test("stops the program on a period, a size, a limit or an overlap of nothing")
    func programmerErrors() async {
      await #expect(processExitsWith: .failure) { _ = Sampler<Int>(every: .zero) }
      await #expect(processExitsWith: .failure) { _ = BatchLimit(maximumCount: 0) }
      await #expect(processExitsWith: .failure) { _ = BatchLimit.every(.zero) }
      await #expect(processExitsWith: .failure) { _ = Overlap.queue(0) }
      await #expect(processExitsWith: .failure) { _ = Overlap.concurrent(0) }
      await #expect(processExitsWith: .failure) { _ = KeyLimit(maximumKeys: 0) }
      await #expect(processExitsWith: .failure) {
        _ = KeyLimit(maximumKeys: -1, whenFull: .flushEarliest)
      }
    }
  #endif
}
