/// The results of a `mapped` sequence that wait for those of earlier elements, as a pure value.
struct MapState<Result> {
  private let inOrder: Bool
  private var early = [Int: Result]()
  private var next = 0
  private var hasFailed = false

  init(inOrder: Bool) {
    self.inOrder = inOrder
  }

  /// Takes the result of the element with that number; returns the results that can be handed out
  /// now, in their order, and none after a failure.
  mutating func land(_ result: Result, of number: Int) -> [Result] {
    guard !hasFailed else { return [] }
    guard inOrder else { return [result] }
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
