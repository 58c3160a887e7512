import Pacing
import PacingTesting

/// The verbs that are the same for all tools for values.
protocol Steerable: AnyObject {
  func suspend()
  func resume()
  var isEnabled: Bool { get set }
}

extension Steerable {
  func steer(_ verb: Program.Verb) {
    switch verb {
    case .suspend: suspend()
    case .resume: resume()
    case .disable: isEnabled = false
    case .enable: isEnabled = true
    default: break
    }
  }
}

extension Debouncer: Steerable {}
extension Throttler: Steerable {}
extension Auditor: Steerable {}
extension Sampler: Steerable {}
extension Batcher: Steerable {}
extension KeyedDebouncer: Steerable {}
extension KeyedThrottler: Steerable {}

struct ValueTool<Tool: PacingTool<Int> & Steerable>: ProgramTool {
  let tool: Tool

  init(_ tool: Tool) { self.tool = tool }

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .send: tool.send(number)
    case .flush: tool.flush()
    case .cancel: tool.cancel()
    case .finish: tool.finish()
    case .reset: (tool as? Throttler<Int>)?.reset()
    default: tool.steer(verb)
    }
  }

  func consumer(slow pause: Duration, on clock: ManualClock) -> ProgramTask? {
    reading(tool.ticks(), slow: pause, on: clock)
  }

  func violation(sent: Int) -> String? { difference(tool.statistics, sent) }
}

struct BatchTool: ProgramTool {
  let tool: Batcher<Int>

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .send: tool.send(number)
    case .flush: tool.flush()
    case .cancel: tool.cancel()
    case .finish: tool.finish()
    default: tool.steer(verb)
    }
  }

  func consumer(slow pause: Duration, on clock: ManualClock) -> ProgramTask? {
    reading(tool.ticks(), slow: pause, on: clock)
  }

  func violation(sent: Int) -> String? { difference(tool.statistics, sent) }
}

struct KeyedTool<Tool: KeyedPacingTool<Int, Int> & Steerable>: ProgramTool {
  let tool: Tool

  init(_ tool: Tool) { self.tool = tool }

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .send: tool.send(number, key: number % 3)
    case .flood: tool.send(number, key: number + 3)
    case .flush: _ = number.isMultiple(of: 2) ? tool.flush() : tool.flush(number % 3)
    case .cancel where number.isMultiple(of: 2): tool.cancel()
    case .cancel: tool.cancel(number % 3)
    case .finish: tool.finish()
    default: tool.steer(verb)
    }
  }

  func consumer(slow pause: Duration, on clock: ManualClock) -> ProgramTask? {
    reading(tool.ticks(), slow: pause, on: clock)
  }

  func violation(sent: Int) -> String? {
    let (room, count) = (tool.keyCapacity, tool.keyCount)
    return room > 3 * count + ProgramRun.spareRoom
      ? "room for \(room) keys, of which \(count) are in use" : difference(tool.statistics, sent)
  }
}
