/// Counts of handlers on `.shared` and of the threads that run them, for the whole process.
///
/// ```swift
/// let threads = Delivery.threads
/// if threads.refused > 0 { log("\(threads.waiting) handlers wait; threads were refused") }
/// ```
///
/// Handlers under virtual time, on queues and on actors are not counted, nor are async ones.
public struct ThreadStatistics: Hashable, Sendable {
  /// The number of handlers that run or block.
  public let running: Int

  /// The number of handlers that wait for a thread.
  public let waiting: Int

  /// How often the system has refused to start a thread since the process began.
  ///
  /// A refused thread is tried again within milliseconds, while the threads there are go on: fewer
  /// handlers run at the same time, and none is lost.
  public let refused: Int

  /// Makes the counts, to test code that reads them.
  public init(running: Int = 0, waiting: Int = 0, refused: Int = 0) {
    self.running = running
    self.waiting = waiting
    self.refused = refused
  }
}

extension ThreadStatistics: CustomStringConvertible {
  /// All counts, for a log.
  public var description: String { "running \(running), waiting \(waiting), refused \(refused)" }
}
