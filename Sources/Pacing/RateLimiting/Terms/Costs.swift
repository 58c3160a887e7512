/// The cost of a call: the same number for each part of a limit, or one for each named part.
///
/// ```swift
/// try await model.acquire(3)                                // 3 of each part
/// try await model.acquire([.requests: 1, .tokens: 1800])    // by name
/// ```
///
/// A part that is not named costs nothing. Parts with the same name, such as tokens per minute and
/// per day, are all charged. The permits of a ``ConcurrencyLimit`` are not named: a call takes one.
public struct Costs: Hashable, Sendable {
  enum Kind: Hashable {
    case each(Int)
    case named([Limit.Name: Int])
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
  public init(_ costs: [Limit.Name: Int]) {
    for cost in costs.values { ConfigurationError.requireCost(cost) }
    kind = .named(costs)
  }

  /// The sum, for statistics.
  var total: Int {
    switch kind {
    case .each(let cost): cost
    case .named(let costs): costs.values.reduce(0) { $0.adding($1) }
    }
  }

  /// The sum of these costs and of those that a settlement leaves as charged.
  func total(settling charged: Costs) -> Int {
    guard case .named(let real) = kind, case .named(let old) = charged.kind else { return total }
    return Costs(old.merging(real) { $1 }).total
  }
}

extension Costs: ExpressibleByIntegerLiteral {
  /// The same cost for each part.
  public init(integerLiteral cost: Int) { self.init(cost) }
}

extension Costs: ExpressibleByDictionaryLiteral {
  /// A cost for each named part.
  public init(dictionaryLiteral costs: (Limit.Name, Int)...) {
    self.init(
      Dictionary(costs) { first, _ in
        ConfigurationError.require(false, "costs", costs, must: "name each part once")
        return first
      })
  }
}

extension Costs: CustomStringConvertible {
  /// The cost, or the cost of each name.
  public var description: String {
    switch kind {
    case .each(let cost): "\(cost)"
    case .named(let costs):
      costs.map { "\($0): \($1)" }.sorted().joined(separator: ", ")
    }
  }
}

extension ConfigurationError {
  @inline(__always)
  package static func requireCost(_ cost: Int) {
    require(cost >= 0, "cost", cost, must: "not be negative")
  }
}
