import Pacing

/// A program over the public interface: tools, calls of them line by line, and what the handlers
/// of the tools do.
struct Program: Sendable {
  enum Kind: CaseIterable {
    case debouncer, throttler, auditor, sampler, batcher, keyedDebouncer, keyedThrottler
    case asyncDebouncer, asyncThrottler, timer, wallTimer, retryTimer, poller, retry, timeout
    case bucket, limiter, keyedLimiter, permits, chain, crowd

    /// What takes the place of a verb that a tool of this kind does not have.
    func meaning(of verb: Verb) -> Verb {
      switch self {
      case .bucket, .limiter, .keyedLimiter, .permits: verb == .send ? .take : verb
      case .asyncDebouncer, .asyncThrottler, .retry, .timeout: verb == .send ? .wait : verb
      case .retryTimer: verb == .send ? .start : verb
      default: verb
      }
    }
  }

  enum Verb: CaseIterable {
    case send, flush, cancel, finish, suspend, resume, succeed, subscribe, leave
    case start, reset, fire, take, wait, drop, make, advance, lapse, block, setWall
    /// Sends a value for a key of its own.
    case flood
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

  /// The virtual threads that run the handlers; nil for the thread that advances the clock.
  var crew: Crew.Settings?
  /// Whether the clock's tools are as lazy as on the system's clock.
  var isLazy: Bool
  var seed: UInt64
  var tools: [Tool]
  var lines: [Line]
  /// The lines that the handler of each tool takes, one at each call.
  var reactions: [[Line]]

  /// How many tools a process has at least.
  static let leastProcess = 24
  /// Whether it is as large as a process, with peaks of timers and keys.
  var isProcess: Bool { tools.count >= Self.leastProcess }

  /// Makes a random program; two of three have a crew.
  init(seed: UInt64, tools count: Int, lines length: Int) {
    self.seed = seed
    var random = SplitMix64(seed: seed)
    let width = Int.random(in: 1...4, using: &random)
    let limit = width + Int.random(in: 0...8, using: &random)
    let isRefusing = Int.random(in: 0..<4, using: &random) == 0
    crew =
      seed.isMultiple(of: 3)
      ? nil : Crew.Settings(width: width, limit: limit, isRefusing: isRefusing)
    isLazy = Bool.random(using: &random)
    // Crowds take time.
    let kinds = count < Self.leastProcess ? Kind.allCases.dropLast() : Kind.allCases[...]
    tools = (0..<count).map { _ in
      Tool(
        kind: kinds.randomElement(using: &random)!,
        span: .random(in: 0...12, using: &random),
        variant: .random(in: 0..<12, using: &random))
    }
    let tools = tools
    lines = (0..<length).map { _ in Self.line(&random, tools: tools) }
    reactions = (0..<count).map { _ in
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Self.line(&random, tools: tools, isReaction: true)
      }
    }
  }

  private static func line(
    _ random: inout SplitMix64, tools: [Tool], isReaction: Bool = false
  ) -> Line {
    // Time and values are more frequent than what ends or drops a tool.
    let verb: Verb =
      switch Int.random(in: 0..<46, using: &random) {
      case 0..<12: .send
      // A handler takes time.
      case 12..<18: isReaction ? .block : .advance
      case 18, 19: .lapse
      case 20..<23: .start
      case 23: .make
      case 24..<30: .wait
      default: Verb.allCases.dropLast().randomElement(using: &random)!
      }
    let tool = Int.random(in: tools.indices, using: &random)
    return Line(
      verb: tools[tool].kind.meaning(of: verb), tool: tool,
      number: .random(in: 0...9, using: &random))
  }
}

extension Program.Line: CustomStringConvertible {
  var description: String {
    switch verb {
    case .advance: "clock.advance(by: .milliseconds(\(number)))"
    case .lapse: "clock.lapse(by: .milliseconds(\(number)))"
    case .block: "block(for: .milliseconds(\(4 * number)))"
    case .setWall: "clock.wallTime = .milliseconds(\(number * 100))"
    case .send: "tool\(tool).send(next)"
    case .take: "tool\(tool).tryAcquire(\(number))"
    case .wait: "clock.run { try await tool\(tool).wait(\(number)) }"
    case .drop: "tool\(tool) = nil"
    case .make: "if tool\(tool) == nil { tool\(tool) = make\(tool)() }"
    case .subscribe:
      "clock.run { for await _ in tool\(tool).ticks() { sleep(for: .milliseconds(\(number / 2))) } }"
    case .leave: "stream\(tool).cancel()"
    case .succeed: "tool\(tool).succeeded()"
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
    let threads = crew.map {
      "// \($0.width) threads, at most \($0.limit)\($0.isRefusing ? ", some of them refused" : "")"
    }
    let clock = "let clock = ManualClock(\(isLazy ? "isLazy: true" : ""))"
    return ((threads.map { [$0] } ?? []) + [clock] + made + lines.map { "\($0)" })
      .joined(separator: "\n")
  }
}

extension Program.Tool {
  /// Whether one handler runs at a time: each key of a keyed tool has its own.
  var isSerial: Bool {
    switch kind {
    case .keyedDebouncer, .keyedThrottler, .retry, .timeout, .asyncDebouncer, .asyncThrottler: false
    default: true
    }
  }

  var isKeyed: Bool { kind == .keyedDebouncer || kind == .keyedThrottler }

  /// Before which instant a value is not delivered, unless a call asks for it or it was merged into
  /// one that was due.
  ///
  /// - Parameters:
  ///   - sent: When the value was sent.
  ///   - start: When the tool was made.
  /// - Returns: The instant.
  func earliest(of sent: PacingInstant, since start: PacingInstant) -> PacingInstant {
    let wait = Nanoseconds(span) * 1_000_000
    switch kind {
    case .debouncer, .keyedDebouncer, .asyncDebouncer: return isPlain ? sent + wait : sent
    case .sampler where wait > 0: return start + ((sent - start) / wait + 1) * wait
    default: return sent
    }
  }

  /// How many handlers may begin in that time, unless a call asks for one: each has a window.
  func mostDecisions(in time: Duration) -> Int {
    let isThrottler = kind == .throttler || kind == .asyncThrottler
    return isThrottler && span > 0 ? 1 + Int(time / .milliseconds(span)) : .max
  }

  /// No leading edge, no maximum wait, no bound on keys.
  private var isPlain: Bool {
    guard variant % 3 == 1 else { return false }
    return switch kind {
    case .debouncer: variant.isMultiple(of: 2)
    case .keyedDebouncer: variant < 6
    default: true
    }
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
