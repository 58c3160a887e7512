/// One attempt of an operation: its number, and the delay before it.
public struct Attempt: Sendable {
  /// The number of the attempt: 1 for the first.
  public let number: Int

  /// The delay before it, the backoff's or the server's; zero before the first attempt of a retry.
  public let delay: Duration

  /// The loop that made the attempt, and which of the loop's attempts it is.
  var loop: (run: AttemptRun, serial: Int)?

  /// Makes an attempt, to test an operation that receives one.
  public init(number: Int, delay: Duration = .zero) {
    self.number = number
    self.delay = delay
  }

  /// Reports to a loop over `RetryPolicy.attempts(clock:)` that the attempt succeeded: the stream
  /// ends, and the budget gets its share back.
  ///
  /// A no-op for other attempts, and for one that is over.
  public func succeeded() {
    if let loop { loop.run.succeeded(loop.serial) }
  }

  /// Reports to a loop over `RetryPolicy.attempts(clock:)` that the attempt failed, and why.
  ///
  /// The next attempt then follows the policy's rules for that error: its predicate, its advice,
  /// and a server's hint. If neither is called, asking for the next attempt
  /// reports an unknown failure. A no-op for other attempts, and for one that is over.
  ///
  /// - Parameter error: The failure; nil if it is not known.
  public func failed(_ error: (any Error)? = nil) {
    if let loop { loop.run.failed(loop.serial, with: error) }
  }
}

extension Attempt: Hashable {
  /// Whether the numbers and delays are equal.
  public static func == (one: Attempt, other: Attempt) -> Bool {
    one.number == other.number && one.delay == other.delay
  }

  /// Hashes the number and the delay.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(delay)
  }
}
