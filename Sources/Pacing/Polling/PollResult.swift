/// One poll: its place on the grid, its result, and how many have failed in a row.
public struct PollResult<Success: Sendable>: Sendable {
  /// The tick that was due: its index, the scheduled and the actual instant, and how many were
  /// missed.
  public let tick: Tick

  /// What the operation returned or threw.
  public let result: Result<Success, any Error>

  /// How many polls have failed in a row, this one included; zero for a success.
  public let failures: Int

  /// Makes a poll's result, to test code that receives one.
  public init(tick: Tick, result: Result<Success, any Error>, failures: Int = 0) {
    self.tick = tick
    self.result = result
    self.failures = failures
  }

  /// What the operation returned; nil for a failure.
  public var value: Success? { try? result.get() }
}
