import Dispatch
import Pacing

/// A timer whose handler blocks once, under each policy for missed ticks.
struct TimerScene: Scene {
  let title = "DispatchTimer"
  let call = "DispatchTimer.scheduled(.every(.milliseconds(100), missed: .skip)) { tick in … }"
  let explanation = """
    Ticks on a grid that does not drift. Here each handler blocks for 350 ms at tick 3; a policy \
    decides what happens to the ticks that are missed.
    """
  let lanes = ["the grid", ".skip", ".coalesce", ".delay", ".burst"]
  let length = Duration.milliseconds(1_570)

  func play(into recorder: SceneRecorder) async throws {
    let policies: [MissedTicks] = [.skip, .coalesce, .delay, .burst]
    let grid = DispatchTimer.scheduled(.every(.milliseconds(100), first: .now)) { tick in
      recorder.note(Self.digit(tick.index), "tick \(tick.index)", in: 0, as: .input)
    }
    let timers = policies.enumerated().map { index, policy in
      // A handler that blocks has a queue of its own, so that it delays nothing else.
      let queue = DispatchQueue(label: "pace.tour")
      let timer = DispatchTimer(.every(.milliseconds(100), first: .now, missed: policy))
      timer.handle(on: .queue(queue)) { tick in
        let missed = tick.missed == 0 ? "" : ", \(tick.missed) missed before it"
        recorder.note(
          Self.digit(tick.index), "tick \(tick.index)\(missed)", in: index + 1, as: .delivered)
        if tick.index == 3 { OwnProcess.block(for: .milliseconds(350)) }
      }
      timer.start()
      return timer
    }
    try await recorder.wait(until: length)
    for timer in timers + [grid] { timer.cancel() }
  }

  func summary(of recorder: SceneRecorder) -> String {
    let counts = (1..<lanes.count).map { "\(recorder.count(in: $0)) with \(lanes[$0])" }
    return "\(recorder.count(in: 0)) ticks on the grid; \(counts.joined(separator: ", "))"
  }

  private static func digit(_ index: Int) -> String { String(index, radix: 36) }
}
