import Pacing
import Synchronization

/// The setting `waits`: consecutive spans, of which the last one repeats.
///
/// A case counts timers as its source starts them. The library asks for a span with each value, so
/// the driver reports when a timer starts: with each value, or with each delivery.
final class Waits: Sendable {
  private let spans: [Duration]
  private let started = Atomic(0)

  /// Reads the spans; nil if the case has none.
  init?(_ config: Settings) throws(Obstacle) {
    guard let spans = try config.durations("waits") else { return nil }
    self.spans = spans
  }

  /// The first span, or the only one.
  static func first(_ config: Settings) throws(Obstacle) -> Duration {
    if let first = try config.durations("waits")?.first { return first }
    return try config.required("wait", config.duration("wait"))
  }

  /// The span of the next timer.
  var rule: @Sendable (String) -> Duration? {
    { [self] _ in current }
  }

  /// As `rule`, if each value starts a timer.
  var ruleForEach: @Sendable (String) -> Duration? {
    { [self] _ in
      defer { start() }
      return current
    }
  }

  private var current: Duration {
    spans[min(started.load(ordering: .relaxed), spans.count - 1)]
  }

  /// Moves to the next span.
  func start() {
    started.add(1, ordering: .relaxed)
  }
}

extension Settings {
  fileprivate func durations(_ name: String) throws(Obstacle) -> [Duration]? {
    guard let value = values[name] else { return nil }
    guard let elements = value.elements, !elements.isEmpty else { throw .missing(name) }
    return try elements.map { element throws(Obstacle) in
      if element == .null { return Duration.nanoseconds(Nanoseconds.never) }
      guard let span = unit.nanoseconds(element) else { throw .missing(name) }
      return Duration.nanoseconds(span)
    }
  }
}
