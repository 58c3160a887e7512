extension TickState {
  /// The wall time at the clock's origin, if the timer follows the wall clock.
  package var wallOffset: Nanoseconds? { rare.isEmpty ? nil : rare[0].wallOffset }

  /// Moves the grid with the wall clock, which shows `offset` at the origin of the timer's clock.
  package mutating func follow(_ offset: Nanoseconds, at now: PacingInstant) {
    let step = offset.adding((wallOffset ?? offset).negated)
    changeRare { $0.wallOffset = offset }
    guard phase == .running, step != 0 else { return }
    next = next - step
    // A clock that was set back passes the same full periods again, but no instant comes early that
    // was asked for.
    let ahead = next - now
    let isAtInstant = rare.isEmpty ? false : rare[0].isAtInstant
    if !isAtInstant, ahead > stride, first.isAligned || !isBeforeFirst {
      next = now + (ahead.remainder(dividingBy: stride))
    }
  }
}
