/// Counts of what happened to the values sent to a tool.
///
/// At any moment `received == delivered + merged + dropped + pending`. A batcher counts elements.
///
/// ```swift
/// let counts = search.statistics
/// print("\(counts.delivered) of \(counts.received), \(counts.dropped(.edge)) at the edge")
/// ```
public struct DeliveryStatistics: Hashable, Sendable {
  /// The number of values sent.
  public internal(set) var received = 0

  /// The number of values that a handler has begun with, or without one that streams were given.
  public internal(set) var delivered = 0

  /// The number of values merged into another one, or into the result of a reduction.
  public internal(set) var merged = 0

  /// The number of values that will still be delivered unless they are merged or dropped.
  public internal(set) var pending = 0

  /// Empty until a value is dropped.
  private var drops = [Int]()

  /// The number of values dropped, for any reason.
  public var dropped: Int { drops.reduce(0, +) }

  /// The number of values dropped for one reason.
  public func dropped(_ reason: DropReason) -> Int { drops.isEmpty ? 0 : drops[reason.rawValue] }

  @inline(__always)
  mutating func note(_ result: SendResult) {
    received += 1
    switch result {
    case .kept: break
    case .merged: merged += 1
    case .dropped(let reason): drop(1, reason)
    }
  }

  func with(pending: Int) -> DeliveryStatistics {
    changing(self) { $0.pending = pending }
  }

  mutating func drop(_ count: Int, _ reason: DropReason) {
    guard count > 0 else { return }
    if drops.isEmpty { drops = Array(repeating: 0, count: DropReason.allCases.count) }
    drops[reason.rawValue] += count
  }
}

extension DeliveryStatistics: CustomStringConvertible {
  /// The counts, with the reasons for the drops.
  public var description: String {
    let reasons = DropReason.allCases.filter { dropped($0) > 0 }.map { "\(dropped($0)) \($0)" }
    return "received \(received), delivered \(delivered), merged \(merged), "
      + "dropped \(reasons.isEmpty ? "0" : reasons.joined(separator: " + ")), pending \(pending)"
  }
}
