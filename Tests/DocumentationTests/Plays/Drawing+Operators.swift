import Pacing
import PacingTesting

extension Drawing {
  private static let edges = ["leading": Edges.leading, "trailing": .trailing, "both": .both]

  /// Plays the first row to the operator that a row is about.
  func playOperator(_ label: String, on timeline: Timeline) {
    let first = Duration.seconds(numbers[0])
    switch kind {
    case "debounced":
      play(on: timeline) { $0.debounced(for: first, edges: Self.edges[label]!, clock: $1) }
    case "throttled":
      play(on: timeline) { $0.throttled(every: first, edges: Self.edges[label]!, clock: $1) }
    case "windows":
      label == "audited"
        ? play(on: timeline) { $0.audited(for: first, clock: $1) }
        : play(on: timeline) { $0.sampled(every: first, clock: $1) }
    case "batched":
      play(on: timeline) { [numbers] in
        $0.batched(
          maximumCount: numbers[0], maximumDelay: .seconds(numbers[1]), clock: $1)
      }
    case "byKey":
      let key = { @Sendable (mark: Character) in mark.lowercased() }
      switch label {
      case "debounced": play(on: timeline) { $0.debounced(for: first, by: key, clock: $1) }
      case "throttled": play(on: timeline) { $0.throttled(every: first, by: key, clock: $1) }
      case "audited": play(on: timeline) { $0.audited(for: first, by: key, clock: $1) }
      default: play(on: timeline) { $0.sampled(every: first, by: key, clock: $1) }
      }
    case "delayed":
      play(on: timeline) { $0.delayed(by: first, includingEnd: label == "end", clock: $1) }
    case "until":
      play(on: timeline) { $0.delayed(until: $1.now.advanced(by: first), clock: $1) }
    case "mapped":
      play(on: timeline) { [numbers] source, clock in
        source.mapped(atMost: numbers[0], inOrder: label == "ordered", clock: clock) { mark in
          // A capital letter takes longer.
          try await clock.sleep(for: .seconds(numbers[mark.isUppercase ? 2 : 1]))
          return mark
        }
      }
    case "limited":
      play(on: timeline) { [numbers] in
        $0.limited(
          by: TokenBucket(rate: .every(.seconds(numbers[1])), burst: numbers[0], clock: $1))
      }
    default:
      label == "first"
        ? play(on: timeline) { $0.timeout(first: first, clock: $1) }
        : play(on: timeline) { $0.timeout(after: first, clock: $1) }
    }
  }

  /// Plays the first row to an operator: an element is drawn as it is, a batch as its count.
  private func play<Operated: AsyncSequence & Sendable>(
    on timeline: Timeline, _ operate: (AsyncStream<Character>, ManualClock) -> Operated
  ) {
    let (source, input) = AsyncStream.makeStream(of: Character.self)
    let operated = operate(source, timeline.clock)
    let consumer = timeline.clock.run {
      do {
        for try await element in operated {
          let count = (element as? [Character])?.count
          timeline.draw(element as? Character ?? Character("\(count ?? 0)"))
        }
        if !Task.isCancelled { timeline.draw("|") }
      } catch {
        timeline.draw("#")
      }
    }
    timeline.play(self.input) { mark in
      if mark == "|" { input.finish() } else { input.yield(mark) }
    }
    consumer.cancel()
    timeline.clock.runReady()
  }
}
