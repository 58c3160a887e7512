extension DispatchTimer {
  /// The stage of the timer's life.
  public var state: State { pacer.read { $0.phase } }

  /// Whether the timer can still tick; false inside the handler of its last tick.
  public var isValid: Bool { state != .finished }

  /// Whether the timer was stopped by `suspend()` and can be resumed.
  public var isSuspended: Bool { state == .suspended }

  /// The deadline of the next tick, nil unless the timer runs.
  public var nextDeadline: PacingInstant? { pacer.read { $0.nextOnGrid }.finite }

  /// The number of ticks still to come; nil if there is no end.
  public var remainingCount: Int? { pacer.read { $0.remaining } }

  /// The counts of ticks handed out and missed so far.
  public var statistics: TickStatistics { pacer.read { $0.statistics } }
}
