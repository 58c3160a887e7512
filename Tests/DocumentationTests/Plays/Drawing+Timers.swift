import Pacing
import PacingTesting

extension Drawing {
  private static let policies = [
    "skip": MissedTicks.skip, "coalesce": .coalesce, "delay": .delay, "burst": .burst,
  ]

  /// A timer on a machine that is busy from one step to another.
  func playMissed(_ label: String, on timeline: Timeline) {
    let timer = DispatchTimer.scheduled(
      .every(.seconds(numbers[0]), first: .now, missed: Self.policies[label]!),
      clock: timeline.clock
    ) { tick in timeline.draw(Character("\(tick.index)")) }
    timeline.clock.advance(by: .seconds(numbers[1]))
    timeline.clock.lapse(by: .seconds(numbers[2] - numbers[1]))
    timeline.clock.advance(by: .seconds(input.count - 1 - numbers[2]))
    timer.cancel()
  }

  /// A timer that is told what the first row says: `s` starts it, `p` suspends, `r` resumes, `f`
  /// fires it now, `x` cancels it.
  func playTimer(_ label: String, on timeline: Timeline) {
    let timer = DispatchTimer(.every(.seconds(numbers[0])), clock: timeline.clock) { tick in
      timeline.draw(Character("\(tick.index)"))
    }
    timeline.play(input) { mark in
      switch mark {
      case "s": timer.start()
      case "p": timer.suspend(keepingRemaining: label == "keepingRemaining")
      case "r": timer.resume()
      case "f": timer.fireNow()
      default: timer.cancel()
      }
    }
    timer.cancel()
  }

  /// Timers that are due at the marks of the first row, with as many steps of tolerance as a row's
  /// label says: when the process is woken for each.
  func playTolerance(_ label: String, on timeline: Timeline) {
    let tolerance = Int(label) ?? 0
    let wakes = Timeline.moments(of: Marbles(stringLiteral: input)).map { step, mark in
      // The instants at which timers meet are round in the binary system, and so are these steps.
      let due = PacingInstant(nanoseconds: Nanoseconds(step) << 30)
      let wake = due.coalesced(within: Nanoseconds(tolerance) << 30)
      return (instant: Int(wake.nanoseconds >> 30), mark: mark)
    }
    for step in 0..<steps {
      for wake in wakes where wake.instant == step { timeline.draw(wake.mark) }
      timeline.clock.advance(by: .seconds(1))
    }
  }
}
