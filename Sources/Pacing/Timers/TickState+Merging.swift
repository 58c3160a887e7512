extension TickState {
  /// A tick that replaces another in a mailbox counts it as missed, and all that it had counted.
  package static func merge(_ older: Tick, into newer: Tick) -> Tick {
    newer.missing(newer.missed.adding(1).adding(older.missed))
  }

  /// The first tick of a late subscription has missed nothing.
  package static func first(_ tick: Tick) -> Tick {
    tick.missing(0)
  }
}

extension Tick {
  fileprivate func missing(_ missed: Int) -> Tick {
    Tick(
      index: index, scheduled: scheduled, actual: actual, missed: missed, remaining: remaining)
  }
}
