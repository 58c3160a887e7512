extension DispatchTimer {
  /// Where the timer stands in its life.
  public var state: State { pacer.read(\.phase) }

  /// Whether the timer can still tick; false inside the handler of its last tick.
  public var isValid: Bool { state != .finished }

  /// Whether the timer was stopped by `suspend()` and can go on.
  public var isSuspended: Bool { state == .suspended }

  /// The deadline of the next tick, nil unless the timer runs.
  public var nextDeadline: PacingInstant? {
    let deadline = pacer.read(\.nextOnGrid)
    return deadline == .distantFuture ? nil : deadline
  }

  /// How many ticks are still to come, nil where there is no end.
  public var remainingCount: Int? { pacer.read(\.remaining) }

  /// What the timer has done so far.
  public var statistics: TickStatistics { pacer.read(\.statistics) }
}
