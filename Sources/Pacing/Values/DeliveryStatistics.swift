/// What has become of the values that a tool was given.
///
/// At every moment `received == delivered + merged + dropped + pending`. A batcher counts elements.
///
/// ```swift
/// let counts = search.statistics
/// print("\(counts.delivered) of \(counts.received), \(counts.dropped(.edge)) at the edge")
/// ```
public struct DeliveryStatistics: Hashable, Sendable {
  /// How many values were sent.
  public internal(set) var received = 0

  /// How many a handler has begun with; without a handler, how many were given to streams.
  public internal(set) var delivered = 0

  /// How many another value stands for: a newer one, the first, or what they were reduced to.
  public internal(set) var merged = 0

  /// How many will still be delivered, unless they are merged or dropped.
  public internal(set) var pending = 0

  /// Empty until something is dropped.
  private var drops = [Int]()

  /// How many were dropped, for whatever reason.
  public var dropped: Int { drops.reduce(0, +) }

  /// How many were dropped for one reason.
  public func dropped(_ reason: DropReason) -> Int { drops.isEmpty ? 0 : drops[reason.index] }

  /// Counts the result of a send.
  @inline(__always)
  mutating func note(_ result: SendResult) {
    switch result {
    case .kept: break
    case .merged: merged += 1
    case .dropped(let reason): drop(1, reason)
    }
  }

  mutating func drop(_ count: Int = 1, _ reason: DropReason) {
    if drops.isEmpty { drops = Array(repeating: 0, count: DropReason.count) }
    drops[reason.index] += count
  }
}

extension DeliveryStatistics: CustomStringConvertible {
  /// The counts, and the reasons of what was dropped.
  public var description: String {
    let reasons = DropReason.all.filter { dropped($0) > 0 }.map { "\(dropped($0)) \($0)" }
    return "received \(received), delivered \(delivered), merged \(merged), "
      + "dropped \(reasons.isEmpty ? "0" : reasons.joined(separator: " + ")), pending \(pending)"
  }
}
