/// When waiters will be served: the forecast of a limit's queue, kept from when it is first needed
/// until something moves all waiters.
extension QueuedLimit {
  /// The wait that a new caller would face if `leaving` made way for it.
  mutating func waitForNewcomer(
    _ cost: Int, without leaving: Place?, at now: PacingInstant
  ) -> Nanoseconds {
    advance(until: now)
    let ahead =
      waiters.isNewestFirst
      ? projection(startsWithHead: false) : projectionBehindQueue(without: leaving)
    return latest.nanoseconds(until: ahead.due(cost))
  }

  /// The projection behind all waiters, except one that leaves.
  mutating func forecastBehindQueue(without leaving: Place?) -> Projection {
    if leaving == nil, let forecast, forecast.isExact { return forecast.projection }
    guard leaving != nil else { return makeForecast().projection }
    var behind = projection(startsWithHead: leaving != waiters.firstPlace)
    placeQueue(without: leaving, in: &behind)
    return behind
  }

  /// Whether each waiter is certain to be served by its deadline.
  mutating func isQueueInTime() -> Bool {
    if let forecast, forecast.isInTime { return true }
    return makeForecast().isInTime
  }

  /// Whether a caller that joins at the back is certain to be served within a time; false if that
  /// is not known without placing all waiters.
  func isCertain(_ cost: Int, within timeout: Nanoseconds) -> Bool {
    guard let forecast else { return false }
    return latest.nanoseconds(until: forecast.latestDue(cost)) <= timeout
  }

  /// Places the waiters whose instants may have changed.
  private mutating func makeForecast() -> QueueForecast<Projection> {
    var next = rewoundForecast() ?? QueueForecast(projection(startsWithHead: true))
    waiters.forEach(behind: next.last) { next.place($1.cost, until: $1.deadline, call: $0.number) }
    forecast = next
    return next
  }

  /// The forecast up to its last stage that is exact, nil if there is none.
  private mutating func rewoundForecast() -> QueueForecast<Projection>? {
    // Taken, so that rewinding copies nothing.
    guard !waiters.isNewestFirst, var known = forecast.take(), known.rewind() else { return nil }
    return known
  }

  // MARK: Changes

  /// Notes a waiter that is about to join.
  mutating func forecastJoin(_ cost: Int, until deadline: PacingInstant) {
    let isLong = forecast?.isLong(for: waiters.count) ?? false
    guard !waiters.isNewestFirst, !isLong else { return forecast = nil }
    let call = waiters.nextNumber
    forecast?.place(cost, until: deadline, call: call)
  }

  /// Notes that a waiter is about to leave without its tokens.
  mutating func forecastLeave(_ place: Place) {
    guard waiters.count > 1 else { return forecast = nil }
    let delay = boundsDelays ? 0 : Nanoseconds.never
    forecast?.noteLeave(call: place.number, delaying: delay)
  }

  /// Serves the first waiter, which is due.
  mutating func serveHead(_ cost: Int, in turn: HeadTurn) {
    var known = forecast.take()
    spendHead(cost, in: turn)
    guard waiters.count > 1, turn.delay == 0 || boundsDelays, let place = waiters.firstPlace
    else { return }
    known?.noteServed(call: place.number)
    if turn.delay > 0 { known?.noteDelay(turn.delay) }
    forecast = known
  }
}
