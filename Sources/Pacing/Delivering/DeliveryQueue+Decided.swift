/// The deliveries that are decided and have not begun, FIFO: mostly one, so only that one is kept
/// beside the state.
extension DeliveryQueue {
  var hasUndelivered: Bool { firstDecided != nil }

  var decidedCount: Int {
    firstDecided == nil ? 0 : 1 + (extras?.laterDecided.count ?? 0)
  }

  /// All of them, the oldest first.
  var decided: [Decided<Output>] {
    guard let firstDecided else { return [] }
    return [firstDecided] + (extras.map { Array($0.laterDecided) } ?? [])
  }

  mutating func append(_ delivery: Decided<Output>) {
    if firstDecided == nil {
      firstDecided = delivery
    } else {
      makeExtras().laterDecided.append(delivery)
    }
  }

  mutating func popDecided() -> Decided<Output>? {
    guard let first = firstDecided.take() else { return nil }
    firstDecided = extras?.laterDecided.popFirst()
    return first
  }

  /// Removes those that match, and returns them in order.
  mutating func takeDecided(
    where isIncluded: (Decided<Output>) -> Bool = { _ in true }
  ) -> [Decided<Output>] {
    let all = decided
    let taken = all.filter(isIncluded)
    guard !taken.isEmpty else { return [] }
    firstDecided = nil
    extras?.laterDecided = FIFO()
    for delivery in all where !isIncluded(delivery) { append(delivery) }
    return taken
  }
}
