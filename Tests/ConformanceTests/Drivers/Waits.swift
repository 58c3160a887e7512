import Pacing
import Synchronization

/// The settings `waits`: one span after the other, the last one for all that follow.
///
/// A case counts timers as its source starts them. Ours asks for a span with each value, so the
/// driver says when a timer has started: with each value, or with each delivery.
final class Waits: Sendable {
  private let spans: [Duration]
  private let started = Atomic(0)

  /// Reads the spans; nil where the case has none.
  init?(_ config: Settings) throws(Obstacle) {
    guard let spans = try config.durations("waits") else { return nil }
    self.spans = spans
  }

  /// The first of them, or the one span of a case that has no others.
  static func first(_ config: Settings) throws(Obstacle) -> Duration {
    if let first = try config.durations("waits")?.first { return first }
    return try config.required("wait", config.duration("wait"))
  }

  /// The span of the timer that starts next.
  var rule: @Sendable (String) -> Duration? {
    { [self] _ in current }
  }

  /// As `rule`, where each value starts a timer.
  var ruleForEach: @Sendable (String) -> Duration? {
    { [self] _ in
      defer { start() }
      return current
    }
  }

  private var current: Duration {
    spans[min(started.load(ordering: .relaxed), spans.count - 1)]
  }

  /// Goes on to the next span.
  func start() {
    started.add(1, ordering: .relaxed)
  }
}

extension Settings {
  fileprivate func durations(_ name: String) throws(Obstacle) -> [Duration]? {
    guard let value = values[name] else { return nil }
    guard let elements = value.elements, !elements.isEmpty else { throw .missing(name) }
    return try elements.map { element throws(Obstacle) in
      guard let span = unit.nanoseconds(element) else { throw .missing(name) }
      return Duration(nanoseconds: span)
    }
  }
}
