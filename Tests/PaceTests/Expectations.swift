import Testing

@testable import pace

/// Expects a usage error, whose message contains `part` and is one line.
func expectUsage<Value>(
  _ part: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws(CommandError) -> Value
) {
  do {
    let value = try body()
    Issue.record("no error, but \(value)", sourceLocation: sourceLocation)
  } catch {
    #expect(error.status == .usage, sourceLocation: sourceLocation)
    #expect(error.message?.contains(part) == true, "\(error)", sourceLocation: sourceLocation)
    #expect(error.message?.contains(where: \.isNewline) == false, sourceLocation: sourceLocation)
  }
}

/// Random numbers that are the same in each run: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
