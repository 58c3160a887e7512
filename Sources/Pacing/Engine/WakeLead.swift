/// How much earlier than its deadline the system is asked for a wake, since it is never on time.
///
/// The lead is learnt: it grows a little with each wake that comes at the deadline or later, and
/// falls seven times as much with one that comes before, so that seven of eight wakes come in time
/// and late by less than the system's own latency. An early wake fires nothing: the deadline is set
/// again, without a lead. With fewer early ones, the others are later.
package struct WakeLead: Sendable {
  private static var step: Nanoseconds { 250 }
  private static var most: Nanoseconds { 100_000 }
  /// The shortest wait with a lead: an idle machine does not stay awake for a shorter one.
  private static var shortest: Nanoseconds { 1_000_000 }

  private var lead: Nanoseconds = 0
  /// The deadline whose wake is awaited with a lead, nil without one.
  private var awaited: PacingInstant?

  package init() {}

  /// The instant to ask the system for.
  package mutating func instant(
    for deadline: PacingInstant, at now: PacingInstant
  ) -> PacingInstant {
    let hasLead = deadline != .distantFuture && deadline - now > Self.shortest
    awaited = hasLead ? deadline : nil
    return hasLead ? deadline - lead : deadline
  }

  package mutating func woke(at now: PacingInstant) {
    guard let deadline = awaited.take() else { return }
    let change = now < deadline ? -7 * Self.step : Self.step
    lead = min(max(lead + change, 0), Self.most)
  }
}
