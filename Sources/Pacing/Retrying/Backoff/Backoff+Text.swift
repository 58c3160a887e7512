extension Backoff: CustomStringConvertible {
  /// A few words, for a log: "exponential from 100 ms, at most 20 s, full jitter".
  public var description: String {
    var words = [shape.text]
    if floor > 0 { words.append("at least \(floor.shortText)") }
    if cap < .never { words.append("at most \(cap.shortText)") }
    if jitter != .none { words.append("\(jitter)") }
    return words.joined(separator: ", ")
  }
}

extension Backoff.Shape {
  fileprivate var text: String {
    switch self {
    case .exponential(base: 0, _): "no delay"
    case .exponential(let base, factor: 1): "constant \(base.shortText)"
    case .exponential(let base, factor: 2): "exponential from \(base.shortText)"
    case .exponential(let base, let factor): "exponential from \(base.shortText) by \(factor)"
    case .linear(let base, let increment):
      "linear from \(base.shortText) by \(increment.shortText)"
    case .fibonacci(let base): "Fibonacci from \(base.shortText)"
    case .list(let delays): "list of \(delays.map { $0.shortText }.joined(separator: ", "))"
    case .uniform(let range):
      "uniform from \(range.lowerBound.shortText) to \(range.upperBound.shortText)"
    case .custom: "custom"
    case .sum(let first, let second): "(\(first)) + (\(second))"
    case .sequence(let first, let second): "(\(first)), then (\(second))"
    case .limited(let whole, let count): "(\(whole)) \(max(0, count)) times"
    }
  }
}

extension Jitter: CustomStringConvertible {
  /// A few words, for a log: "full jitter".
  public var description: String {
    switch kind {
    case .none: "no jitter"
    case .full: "full jitter"
    case .equal: "equal jitter"
    case .decorrelated: "decorrelated jitter"
    case .proportional(let ratio): "proportional jitter of \(ratio)"
    case .additive(let amount): "up to \(amount.shortText) of jitter"
    }
  }
}
