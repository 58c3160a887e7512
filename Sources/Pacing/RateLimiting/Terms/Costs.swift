/// The cost of a call: the same number for each part of a limit, or one for each named part.
///
/// ```swift
/// try await model.acquire(3)                                // 3 of each part
/// try await model.acquire([.requests: 1, .tokens: 1800])    // by name
/// ```
///
/// A part that is not named costs nothing. Parts with the same name, such as tokens per minute and
/// per day, are all charged. The permits of a ``ConcurrencyLimit`` are not named: a call takes one.
public struct Costs: Equatable, Sendable {
  enum Kind {
    case each(Int)
    /// Few names, which are found faster without their hashes.
    case named([(Limit.Name, Int)])
  }

  let kind: Kind

  /// The same cost for each part.
  ///
  /// - Precondition: `cost` is not negative.
  public init(_ cost: Int) {
    ConfigurationError.requireCost(cost)
    kind = .each(cost)
  }

  /// A cost for each named part.
  ///
  /// - Precondition: No cost is negative.
  public init(_ costs: [Limit.Name: Int]) { self.init(costs.map { ($0, $1) }) }

  private init(_ costs: [(Limit.Name, Int)]) {
    for (_, cost) in costs { ConfigurationError.requireCost(cost) }
    kind = .named(costs)
  }

  /// The sum, for statistics.
  var total: Int {
    switch kind {
    case .each(let cost): cost
    case .named(let costs): costs.reduce(0) { $0.adding($1.1) }
    }
  }

  func cost(of name: Limit.Name?) -> Int? {
    switch kind {
    case .each(let cost): cost
    case .named(let costs): costs.first { $0.0 == name }?.1
    }
  }

  /// The sum of these costs and of those that a settlement leaves as charged.
  func total(settling charged: Costs) -> Int {
    guard case .named = kind, case .named = charged.kind else { return total }
    return total.adding(charged.without(self).total)
  }

  /// Those of the named costs that the others do not name.
  func without(_ others: Costs) -> Costs {
    guard case .named(let costs) = kind, case .named = others.kind else { return self }
    return Costs(costs.filter { others.cost(of: $0.0) == nil })
  }

  /// Whether the same names cost the same, in any order.
  public static func == (one: Costs, other: Costs) -> Bool {
    guard case .named(let costs) = one.kind, case .named(let others) = other.kind else {
      return one.cost(of: nil) == other.cost(of: nil)
    }
    return costs.count == others.count && costs.allSatisfy { other.cost(of: $0.0) == $0.1 }
  }
}

extension Costs: ExpressibleByIntegerLiteral {
  /// The same cost for each part.
  public init(integerLiteral cost: Int) { self.init(cost) }
}

extension Costs: ExpressibleByDictionaryLiteral {
  /// A cost for each named part.
  public init(dictionaryLiteral costs: (Limit.Name, Int)...) {
    for (index, cost) in costs.enumerated() {
      ConfigurationError.require(
        !costs[..<index].contains { $0.0 == cost.0 }, "costs", costs, must: "name each part once")
    }
    self.init(costs)
  }
}

extension Costs: CustomStringConvertible {
  /// The cost, or the cost of each name.
  public var description: String {
    switch kind {
    case .each(let cost): "\(cost)"
    case .named(let costs): costs.map { "\($0): \($1)" }.sorted().joined(separator: ", ")
    }
  }
}

extension ConfigurationError {
  @inline(__always)
  package static func requireCost(_ cost: Int) {
    require(cost >= 0, "cost", cost, must: "not be negative")
  }
}
