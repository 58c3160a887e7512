import Foundation
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Poll settings as configuration")
struct PollSettingsTests {
  private static let schedule = PollSchedule(
    every: .seconds(5), jitter: .milliseconds(500),
    slowing: .exponential(from: .seconds(10)).capped(at: .seconds(60)), seed: 7
  ).obeying(.obeyed(atMost: .seconds(9)))

  @Test("a schedule is made again from its settings, and says what it is")
  func copy() throws {
    let data = try JSONEncoder().encode(Self.schedule.settings)
    let copy = try PollSchedule(JSONDecoder().decode(PollSchedule.Settings.self, from: data))
    #expect(copy.settings == Self.schedule.settings)
    #expect(copy.settings.hints == .obeyed(atMost: .seconds(9)) && copy.settings.seed == 7)
    let text = "every 5 s, up to 500 ms later; after failures \(copy.settings.backoff)"
    #expect("\(copy)" == text)
    #expect("\(PollSchedule(every: .seconds(5)))" == "every 5 s")
  }

  @Test(
    "settings that no schedule can have are not decoded",
    arguments: [("period", Duration.zero), ("jitter", .seconds(-1)), ("jitter", .seconds(5))])
  func badSettings(name: String, value: Duration) throws {
    var settings = Self.schedule.settings
    if name == "period" { settings.period = value } else { settings.jitter = value }
    let data = try JSONEncoder().encode(settings)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PollSchedule.Settings.self, from: data)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription.hasPrefix(name), "\(context.debugDescription)")
  }

  @Test("advice on errors takes the place of the error's own")
  func advice() {
    struct Failed: Error {}
    let clock = ManualClock()
    let polled = EventRecorder<Int>()
    let schedule = PollSchedule(every: .seconds(10)).advised { error in
      error is Failed ? .permanent : nil
    }
    let poller = Poller<Int>(schedule, clock: clock) {
      polled.record(clock.now.milliseconds)
      throw Failed()
    }.handle { _ in }
    poller.start()
    clock.advance(by: .seconds(30))
    #expect(polled.values == [0] && poller.state == .finished)
    withExtendedLifetime(poller) {}
  }
}
