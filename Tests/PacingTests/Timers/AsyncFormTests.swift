import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("DispatchTimer: forms with async handlers")
struct AsyncFormTests {
  /// Records the ticks that timers deliver to an actor.
  private actor Meter {
    private let ticks: EventRecorder<Int>

    init(_ ticks: EventRecorder<Int>) { self.ticks = ticks }

    func note(_ index: Int) { ticks.record(index) }
  }

  let clock = ManualClock(step: .milliseconds(100))
  let ticks: EventRecorder<Int>

  init() { ticks = EventRecorder(clock: clock) }

  /// The deliveries of the timers in eight steps.
  private func drawn(_ timers: [DispatchTimer]) async -> Marbles {
    for timer in timers { timer.start() }
    await clock.playAndSettle("--------") { _ in }
    for timer in timers { timer.cancel() }
    return ticks.marbles { Character("\($0)") }
  }

  /// A timer with a count and a policy for missed ticks.
  private func repeating(_ form: String, _ meter: Meter) -> DispatchTimer {
    let period = Duration.milliseconds(200)
    let ticks = ticks
    return switch form {
    case "shared":
      DispatchTimer(.every(period, count: 3, missed: .burst), clock: clock).handle { tick in
        await meter.note(tick.index)
      }.started()
    case "main":
      DispatchTimer(.every(period, count: 3, missed: .burst), clock: clock).handle(on: .main) {
        tick in
        await Task.yield()
        ticks.record(tick.index)
      }.started()
    case "actor":
      DispatchTimer(.every(period, count: 3, missed: .burst), clock: clock)
        .handle(in: meter) { meter, tick in meter.note(tick.index) }.started()
    case "idle shared":
      DispatchTimer(.every(period, count: 3, missed: .burst), clock: clock).handle { tick in
        await meter.note(tick.index)
      }
    case "idle main":
      DispatchTimer(.every(period, count: 3, missed: .burst), clock: clock).handle(on: .main) {
        tick in
        await Task.yield()
        ticks.record(tick.index)
      }
    default:
      DispatchTimer(.every(period, count: 3, missed: .burst), clock: clock).handle(in: meter) {
        meter, tick in meter.note(tick.index)
      }
    }
  }

  @Test(
    "a repeating timer takes an async handler wherever it runs",
    arguments: ["shared", "main", "actor", "idle shared", "idle main", "idle actor"])
  func every(form: String) async {
    let meter = Meter(ticks)
    let timer = repeating(form, meter)
    #expect((timer.state == .idle) == form.hasPrefix("idle"))
    #expect(await drawn([timer]) == "--0-1-2-")
  }

  @Test("a one-shot timer takes an async handler wherever it runs")
  func after() async {
    let meter = Meter(ticks)
    let ticks = ticks
    func once(_ delay: Int) -> DispatchTimer {
      DispatchTimer(.once(after: .milliseconds(delay)), clock: clock)
    }
    let timers = [
      once(200).handle { _ in await meter.note(1) },
      once(400).handle(on: .main) { _ in
        await Task.yield()
        ticks.record(2)
      },
      once(600).handle(in: meter) { meter, _ in meter.note(3) },
    ]
    for timer in timers { timer.start() }
    #expect(await drawn(timers) == "--1-2-3-")
  }
}
