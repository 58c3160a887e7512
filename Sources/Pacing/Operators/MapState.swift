/// The order in which `mapped(atMost:order:)` hands out what its operations return.
public enum MapOrder: Hashable, Sendable {
  /// The order of the elements: a result waits for those of earlier elements.
  case source

  /// The order in which the operations end.
  case completion
}

/// The results of a `mapped` sequence that wait for those of earlier elements, as a pure value.
struct MapState<Result> {
  private let order: MapOrder
  private var early = [Int: Result]()
  private var next = 0
  private var hasFailed = false

  init(_ order: MapOrder) {
    self.order = order
  }

  /// Takes the result of the element with that number; returns the results that can be handed out
  /// now, in their order, and none after a failure.
  mutating func land(_ result: Result, of number: Int) -> [Result] {
    guard !hasFailed else { return [] }
    guard order == .source else { return [result] }
    early[number] = result
    var ready = [Result]()
    while let result = early.removeValue(forKey: next) {
      ready.append(result)
      next += 1
    }
    return ready
  }

  /// Notes a failure, or that the consumer has left, and returns the results that this drops.
  mutating func fail() -> [Result] {
    hasFailed = true
    defer { early = [:] }
    return Array(early.values)
  }
}
