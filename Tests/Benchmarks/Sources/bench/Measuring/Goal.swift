/// What a figure should be.
struct Goal {
  enum Bound: CustomStringConvertible {
    /// At most so many times what one clock read takes.
    case clockReads(Double)
    /// At most this share of a peer's figure.
    case share(Double, of: String)
    /// At most so much, in the row's own unit.
    case figure(Double, String)

    var limit: Double {
      switch self {
      case .clockReads(let limit), .share(let limit, _), .figure(let limit, _): limit
      }
    }

    var description: String {
      switch self {
      case .clockReads(let limit): "\(limit) × clock read"
      case .share(let limit, let peer): "\(limit) × \(peer)"
      case .figure(let limit, let unit): "\(limit) \(unit)"
      }
    }
  }

  let row: String
  let bound: Bound

  /// Whether the value is within the bound.
  func isMet(by value: Double) -> Bool { value <= bound.limit }

  /// "met", or how many times its bound the value is.
  func verdict(on value: Double) -> String {
    isMet(by: value) ? "met" : "missed, \(factor(of: value)) × the goal"
  }

  /// How many times its bound the value is.
  func factor(of value: Double) -> String { Report.format(value / bound.limit) }
}

/// Two rows to be compared: ours and a peer's.
struct Ratio {
  let ours: String
  let peer: String
}
