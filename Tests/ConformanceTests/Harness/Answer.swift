import Pacing

/// An answer or a delivery of a tool, in its own units.
enum Answer: Hashable, Sendable {
  case nothing
  case flag(Bool)
  case count(Int)
  case span(Nanoseconds)
  case text(String)
  case batch([String])
  case fields([String: Answer])
  /// An outcome that the interface does not expose; matches any answer.
  case unshown
  /// Whether there was a value, from a verb that does not return it.
  case something(Bool)
  /// A permanent refusal: the cost is above the burst.
  case exceedsBurst(Int)
  /// The results of several random draws.
  case draws([Nanoseconds])
}

extension Answer {
  /// Whether the answer matches the stated one.
  func meets(_ stated: JSON, unit: TimeUnit, tolerance: Nanoseconds = 0) -> Bool {
    switch self {
    case .nothing: stated == .null
    case .flag(let flag): stated == .bool(flag)
    // Availability is rounded down.
    case .count(let count): stated.double.map { $0.rounded(.down) == Double(count) } ?? false
    case .span(let span):
      stated.members == nil
        ? unit.isMet(stated, by: span, tolerance: tolerance)
        : Self.areMet(stated, by: [span], unit: unit, tolerance: tolerance)
    case .text(let text): stated == .string(text)
    case .batch(let batch): stated == .array(batch.map(JSON.string))
    case .unshown: true
    case .something(let isThere): (stated != .null) == isThere
    case .exceedsBurst(let burst):
      stated == .bool(false) || Self.isRefusal(stated, burst)
    case .fields(let fields):
      stated.members.map { members in
        members.keys.sorted() == fields.keys.sorted()
          && fields.allSatisfy { name, answer in
            members[name].map { answer.meets($0, unit: unit, tolerance: tolerance) } ?? false
          }
      } ?? false
    case .draws(let draws):
      Self.areMet(stated, by: draws, unit: unit, tolerance: tolerance)
    }
  }

  private static func isRefusal(_ stated: JSON, _ burst: Int) -> Bool {
    guard let members = stated.members, members["refused"]?.text == "exceeds_burst" else {
      return false
    }
    return members["burst"].map { $0.count == burst } ?? true
  }

  private static func areMet(
    _ stated: JSON, by draws: [Nanoseconds], unit: TimeUnit, tolerance: Nanoseconds
  ) -> Bool {
    guard let members = stated.members else {
      return draws.allSatisfy { unit.isMet(stated, by: $0, tolerance: tolerance) }
    }
    if let low = members["min"], let high = members["max"],
      let least = unit.nanoseconds(low), let most = unit.nanoseconds(high)
    {
      return draws.allSatisfy { draw in
        (least <= draw && draw <= most)
          || [low, high].contains { unit.isMet($0, by: draw, tolerance: tolerance) }
      }
    }
    guard let mean = members["mean"]?.double, let tolerance = members["tolerance"]?.double else {
      return false
    }
    let sum = draws.reduce(0) { $0 + Double($1) / Double(unit.length) }
    return abs(sum / Double(draws.count) - mean) <= tolerance
  }

  /// The answer in the notation of a case.
  func text(_ unit: TimeUnit) -> String {
    switch self {
    case .nothing: "null"
    case .flag(let flag): "\(flag)"
    case .count(let count): "\(count)"
    case .span(let span): unit.text(span)
    case .text(let text): "\"\(text)\""
    case .batch(let batch): "\(batch)"
    case .unshown: "…"
    case .something(let isThere): isThere ? "something" : "null"
    case .exceedsBurst(let burst): "refused by the burst \(burst)"
    case .fields(let fields):
      "{\(fields.sorted { $0.key < $1.key }.map { "\($0): \($1.text(unit))" }.joined(separator: ", "))}"
    case .draws(let draws):
      "\(draws.count) draws in \(unit.text(draws.min() ?? 0))...\(unit.text(draws.max() ?? 0))"
    }
  }
}
