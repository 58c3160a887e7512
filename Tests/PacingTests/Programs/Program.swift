import Pacing

/// A program over the public interface: tools, calls of them line by line, and what the handlers
/// of the tools do.
struct Program: Sendable {
  enum Kind: CaseIterable {
    case debouncer, throttler, auditor, sampler, batcher, keyedDebouncer, keyedThrottler
    case timer, poller, bucket
  }

  enum Verb: CaseIterable {
    case send, flush, cancel, finish, suspend, resume, disable, enable, subscribe, leave
    case start, reset, fire, take, wait, drop, advance, lapse
  }

  struct Tool: Sendable {
    let kind: Kind
    /// The wait, period or window, in milliseconds.
    let span: Int
    /// Chooses between the other settings.
    let variant: Int
  }

  struct Line: Sendable {
    let verb: Verb
    let tool: Int
    /// A time in milliseconds, or a cost.
    let number: Int
  }

  var tools: [Tool]
  var lines: [Line]
  /// The lines that the handler of each tool takes, one at each call.
  var reactions: [[Line]]

  /// Makes a random program.
  init(seed: UInt64, tools count: Int, lines length: Int) {
    var random = SplitMix64(seed: seed)
    tools = (0..<count).map { _ in
      Tool(
        kind: Kind.allCases.randomElement(using: &random)!,
        span: .random(in: 0...12, using: &random),
        variant: .random(in: 0..<12, using: &random))
    }
    lines = (0..<length).map { _ in Self.line(&random, tools: count) }
    reactions = (0..<count).map { _ in
      (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.line(&random, tools: count) }
    }
  }

  private static func line(_ random: inout SplitMix64, tools: Int) -> Line {
    // Time and values are more frequent than what ends or drops a tool.
    let verb: Verb =
      switch Int.random(in: 0..<40, using: &random) {
      case 0..<12: .send
      case 12..<18: .advance
      case 18, 19: .lapse
      case 20..<23: .start
      default: Verb.allCases.randomElement(using: &random)!
      }
    return Line(
      verb: verb, tool: .random(in: 0..<tools, using: &random),
      number: .random(in: 0...9, using: &random))
  }
}

extension Program.Line: CustomStringConvertible {
  var description: String {
    switch verb {
    case .advance: "clock.advance(by: .milliseconds(\(number)))"
    case .lapse: "clock.lapse(by: .milliseconds(\(number)))"
    case .send: "tool\(tool).send(next)"
    case .take: "tool\(tool).tryAcquire(\(number))"
    case .wait: "clock.run { try await tool\(tool).acquire(\(number)) }"
    case .drop: "tool\(tool) = nil"
    case .subscribe: "clock.run { for await _ in tool\(tool).ticks() {} }"
    case .leave: "stream\(tool).cancel()"
    case .disable, .enable: "tool\(tool).isEnabled = \(verb == .enable)"
    case .fire: "tool\(tool).fireNow()"
    default: "tool\(tool).\(verb)()"
    }
  }
}

extension Program: CustomStringConvertible {
  /// The program as Swift, but for the settings that its tools' variants choose.
  var description: String {
    let used = Set((lines + reactions.joined()).map(\.tool))
    let made = tools.indices.filter { used.contains($0) }.map { index in
      let tool = tools[index]
      let body = reactions[index].map { "\($0)" }.joined(separator: "; ")
      return "var tool\(index) = \(tool.kind)(.milliseconds(\(tool.span)), variant: "
        + "\(tool.variant), clock: clock) { \(body) }"
    }
    return (["let clock = ManualClock()"] + made + lines.map { "\($0)" })
      .joined(separator: "\n")
  }
}

extension Program {
  /// The shortest program found that fails in some way: whole runs of lines are left out while it
  /// fails without them.
  func shrunk(while fails: (Program) -> Bool) -> Program {
    var program = self
    var hasShrunk = true
    while hasShrunk {
      hasShrunk = false
      var length = max(1, program.lines.count / 2)
      while length > 0 {
        var start = 0
        while start < program.lines.count {
          var shorter = program
          shorter.lines.removeSubrange(start..<min(start + length, shorter.lines.count))
          if fails(shorter) {
            program = shorter
            hasShrunk = true
          } else {
            start += length
          }
        }
        length /= 2
      }
      for index in program.reactions.indices where !program.reactions[index].isEmpty {
        var shorter = program
        shorter.reactions[index].removeLast()
        guard fails(shorter) else { continue }
        program = shorter
        hasShrunk = true
      }
    }
    return program
  }
}
