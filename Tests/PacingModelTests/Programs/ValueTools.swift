import Pacing
import PacingTesting

extension PacingTool {
  func steer(_ verb: Program.Verb) {
    switch verb {
    case .suspend: suspend()
    case .resume: resume()
    default: break
    }
  }
}

struct ValueTool<Tool: ValuePacingTool<Int>>: ProgramTool {
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

struct KeyedTool<Tool: KeyedPacingTool<Int, Int>>: ProgramTool {
  let tool: Tool

  init(_ tool: Tool) { self.tool = tool }

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .send: tool.send(number, for: number % 3)
    case .flood: tool.send(number, for: number + 3)
    case .flush: _ = number.isMultiple(of: 2) ? tool.flush() : tool.flush(for: number % 3)
    case .cancel where number.isMultiple(of: 2): tool.cancel()
    case .cancel: tool.cancel(for: number % 3)
    case .finish: tool.finish()
    default: tool.steer(verb)
    }
  }

  func consumer(slow pause: Duration, on clock: ManualClock) -> ProgramTask? {
    reading(tool.ticks(), slow: pause, on: clock)
  }

  func violation(sent: Int) -> String? { difference(tool.statistics, sent) }
}
