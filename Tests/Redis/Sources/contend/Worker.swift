import Foundation
import Pacing
import PacingRedis

/// One of several processes that contend for a key.
struct Worker {
  enum Kind: String {
    /// Requests until the time is over; a refused one waits for as long as it is told.
    case request
    /// Requests until one is refused.
    case drain
    /// Waits for its turn until the time is over.
    case acquire
  }

  /// What a worker prints.
  struct Result {
    var granted = 0
    var refused = 0
    var calls = 0
    var failed = 0

    init() {}

    init?(_ text: String) {
      let numbers = text.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 4 else { return nil }
      (granted, refused, calls, failed) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    var text: String { "\(granted) \(refused) \(calls) \(failed)" }

    static func + (first: Result, second: Result) -> Result {
      var sum = Result()
      sum.granted = first.granted + second.granted
      sum.refused = first.refused + second.refused
      sum.calls = first.calls + second.calls
      sum.failed = first.failed + second.failed
      return sum
    }
  }

  var kind = Kind.request
  var port = 0
  var rate = 1000
  var perDay = false
  var burst = 100
  var time = 3.0
  var tasks = 50
  var lease = 0
  var count = 4

  private var words: [String] {
    ["worker", kind.rawValue, "\(port)", "\(rate)", "\(perDay)", "\(burst)", "\(time)", "\(tasks)"]
      + ["\(lease)"]
  }

  init(kind: Kind, port: Int) {
    self.kind = kind
    self.port = port
  }

  init?(_ words: [String]) {
    guard words.count == 8, let kind = Kind(rawValue: words[0]) else { return nil }
    self.kind = kind
    port = Int(words[1])!
    rate = Int(words[2])!
    perDay = words[3] == "true"
    burst = Int(words[4])!
    time = Double(words[5])!
    tasks = Int(words[6])!
    lease = Int(words[7])!
  }

  /// Runs several processes, and adds what they print.
  func contend() async throws -> Result {
    let processes = try (0..<count).map { _ in
      let process = Process()
      process.executableURL = URL(filePath: CommandLine.arguments[0])
      process.arguments = words
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      return (process, output)
    }
    var sum = Result()
    for (process, output) in processes {
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
      guard let result = Result(text) else {
        throw RedisConnection.Failure(description: "a worker said \(text)")
      }
      sum = sum + result
    }
    return sum
  }

  /// Does the work of one process.
  func run() async -> Result {
    let connection = RedisConnection(host: "127.0.0.1", port: port)
    // Patient: the machine may be busy, and what is asked here is exactness.
    let store = RedisStore(StorePolicy(timeout: .seconds(5))) { call in
      try await connection.numbers([call.command] + call.words)
    }
    let limiter = SharedRateLimiter<String>(
      rate: perDay ? Rate(rate, per: .seconds(86_400)) : .perSecond(rate), burst: burst, in: store,
      onFailure: .deny, leasing: lease > 0 ? Lease(atMost: lease, for: .milliseconds(50)) : nil
    ) { $0 }
    let end = ContinuousClock.now.advanced(by: .seconds(time))
    await withTaskGroup { group in
      for _ in 0..<tasks {
        group.addTask { await work(limiter, until: end) }
      }
    }
    var result = Result()
    result.granted = limiter.statistics.granted
    result.refused = limiter.statistics.refused
    result.calls = store.statistics.calls
    result.failed = store.statistics.failed + store.statistics.timedOut
    return result
  }

  private func work(
    _ limiter: SharedRateLimiter<String>, until end: ContinuousClock.Instant
  ) async {
    while ContinuousClock.now < end {
      switch kind {
      case .request:
        let decision = await limiter.request(for: "key")
        guard !decision.isAllowed else { continue }
        try? await Task.sleep(for: min(decision.retryAfter ?? .milliseconds(1), .milliseconds(5)))
      case .drain:
        if await !limiter.request(for: "key").isAllowed { return }
      case .acquire:
        try? await limiter.acquire(for: "key", within: .milliseconds(500))
      }
    }
  }
}
