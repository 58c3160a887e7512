import Pacing
import TestSupport

/// Asks a limit the questions that every limit answers.
final class LimitAsker<Tool: LimitingTool> {
  private let limit: Tool
  private let stage: Stage
  /// Whether to ask with `request`, not `tryAcquire`.
  private let usesDecisions: Bool
  private var reservations = [String: Reservation]()

  /// A place in line, and what it was charged once it is served.
  private struct Reservation {
    let handle: Acquisition
    let charge: Slot<Charge>
  }

  init(_ limit: Tool, on stage: Stage, usesDecisions: Bool = true) {
    self.limit = limit
    self.stage = stage
    self.usesDecisions = usesDecisions
  }

  /// The answer; nil if the operation has none.
  ///
  /// `capacity` is the largest cost that can succeed.
  func answer(_ call: Call, capacity: Int) throws -> Answer? {
    switch call.name {
    case "allow":
      return try allow(call, capacity)
    case "tokens", "remaining":
      try call.expectOnly([])
      return .count(limit.available)
    case "wait_time":
      try call.expectOnly(["n"])
      return limit.peek(try call.cost).retryAfter.map { .span(Nanoseconds(roundingUp: $0)) }
        ?? .text("never")
    case "wait":
      return try wait(call)
    case "reserve":
      return try reserve(call)
    case "cancel":
      try call.expectOnly(["of"])
      call.arguments["of"]?.text.flatMap { reservations[$0] }.map(cancel)
      return nil
    case "acquire":
      try call.expectOnly(["n"])
      let wait = try BlockingAcquire(limit, cost: call.cost, on: stage)
      return wait.isGranted ? .span(wait.waited) : .text("refused")
    case "try_acquire":
      try call.expectOnly(["n", "max_wait"])
      let longest = try call.required("max_wait", call.nanoseconds("max_wait"))
      let wait = try BlockingAcquire(limit, cost: call.cost, within: max(0, longest), on: stage)
      return .flag(wait.isGranted)
    case "take_available":
      try call.expectOnly(["n"])
      return .count(limit.take(upTo: try call.cost))
    case "reset":
      try call.expectOnly([])
      limit.reset()
      return nil
    case "create":
      throw Obstacle.missing("rejection")
    default:
      throw Obstacle.missing(call.name)
    }
  }

  private func allow(_ call: Call, _ capacity: Int) throws -> Answer {
    try call.expectOnly(["n", "report"])
    let cost = try call.cost
    let look = limit.peek(cost)
    let decision = usesDecisions ? limit.request(cost) : look
    if !usesDecisions, limit.tryAcquire(cost) != look.isAllowed {
      throw Obstacle.broken("peek and tryAcquire disagree")
    }
    guard decision.isAllowed else {
      return decision.retryAfter == nil ? .exceedsBurst(capacity) : .flag(false)
    }
    let reportsRemaining = call.arguments["report"] == .string("remaining")
    return reportsRemaining ? .count(decision.remaining) : .flag(true)
  }

  private func wait(_ call: Call) throws -> Answer {
    try call.expectOnly(["n", "deadline", "cancel_at", "cancelled"])
    let deadline = try call.nanoseconds("deadline")
    let cancellation = try call.nanoseconds("cancel_at")
    let isCancelled = try call.flag("cancelled") ?? false || cancellation ?? .never < stage.now
    let wait = try BlockingAcquire(
      limit, cost: call.cost, within: deadline.map { max(0, $0.adding(-stage.now)) },
      cancelledAt: isCancelled ? stage.now : cancellation,
      beforeItBegins: isCancelled, on: stage)
    return .fields(["ok": .flag(wait.isGranted), "waited": .span(wait.waited)])
  }

  private func reserve(_ call: Call) throws -> Answer {
    try call.expectOnly(["n", "as", "max_wait", "over_burst"])
    let timeout = try call.nanoseconds("max_wait").map(Duration.nanoseconds)
    let cost = try call.cost
    let (charge, isRefused) = (Slot<Charge>(), Slot<Bool>())
    let handle = limit.acquire(Costs(cost), within: timeout) { result in
      switch result {
      case .success(let own): charge.put(own)
      case .failure: isRefused.put(true)
      }
    }
    stage.settle()
    if isRefused.value == true { return .nothing }
    if let name = call.arguments["as"]?.text {
      reservations[name] = Reservation(handle: handle, charge: charge)
    }
    return handle.expectedWait.map { .span(Nanoseconds(roundingUp: $0)) } ?? .nothing
  }

  /// Gives a place back, up to and including the instant at which it is served.
  private func cancel(_ reservation: Reservation) {
    guard !reservation.handle.cancel(), let charge = reservation.charge.value,
      charge.instant >= stage.clock.now
    else { return }
    charge.cancel()
  }
}

extension Call {
  /// The cost of a request; no case asks for a negative one.
  var cost: Int {
    get throws(Obstacle) {
      let cost = try required("n", count("n"))
      guard cost >= 0 else { throw .missing("rejection") }
      return cost
    }
  }
}
