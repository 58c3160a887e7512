import Foundation

/// The drawings of the library's documentation comments.
///
/// A comment does not say how it is played; this table does, so that the comments stay free of it.
enum SourceDrawings {
  private static let folder = "Sources/Pacing"

  /// What each drawing of a source plays, in order, by path.
  static let kinds: [String: [String]] = [
    "Debouncing/Debouncer": ["debounce 3"],
    "Debouncing/AsyncDebouncer": ["calls 3 2"],
    "Debouncing/KeyedDebouncer": ["keyed 3"],
    "Throttling/Throttler": ["throttle 4"],
    "Throttling/AsyncThrottler": ["calls 4 2"],
    "Throttling/KeyedThrottler": ["keyed 4"],
    "Sampling/Auditor": ["siblings 4"],
    "Sampling/Sampler": ["siblings 4"],
    "Batching/Batcher": ["batch 3 4"],
    "Delivering/Overlap": ["overlap 4"],
    "RateLimiting/Tools/TokenBucket": ["bucket 3 4", "overdraft 2 4"],
    "RateLimiting/Tools/ConcurrencyLimit": ["permits 2 4"],
    "RateLimiting/Tools/RateLimiter": ["limits 3 6"],
    "Operators/LimitedSequence": ["limited 2 4"],
    "Retrying/Retry": ["retry 2 3 8"],
    "Retrying/RetryTimer": ["backoff 1"],
    "Polling/PollSchedule": ["poll 3 4"],
    "Timers/MissedTicks": ["missed 4 5 13"],
    "Operators/AsyncSequence+Debounced": ["debounced 3"],
    "Operators/AsyncSequence+Throttled": ["throttled 4"],
    "Operators/AsyncSequence+Audited": ["windows 4"],
    "Operators/AsyncSequence+Sampled": ["windows 4"],
    "Operators/AsyncSequence+Batched": ["batched 3 4"],
    "Operators/AsyncSequence+Delayed": ["delayed 4", "until 5"],
    "Operators/AsyncSequence+ByKey": ["byKey 3", "byKey 4", "byKey 4", "byKey 4"],
    "Operators/AsyncSequence+Mapped": ["mapped 2 2 6"],
    "Operators/AsyncSequence+Timeout": ["timeout 4"],
  ].reduce(into: [:]) { $0["\(folder)/\($1.key).swift"] = $1.value }

  static let all: [Drawing] = kinds.sorted { $0.key < $1.key }.flatMap { path, kinds in
    zip(kinds, (try? blocks(in: path)) ?? []).map { Drawing($0, in: path, lines: $1) }
  }

  /// The blocks of indented lines in comments that look like a drawing: two columns, the second
  /// with steps in which nothing happens.
  static func blocks(in path: String) throws -> [[String]] {
    var blocks = [[String]]()
    var isInside = false
    for line in try Repository.text(of: path).components(separatedBy: "\n") {
      let row = line.firstMatch(of: /^ *\/\/\/     (.*)$/)?.1
      if let row, isInside { blocks[blocks.count - 1].append(String(row)) }
      if let row, !isInside { blocks.append([String(row)]) }
      isInside = row != nil
    }
    return blocks.filter { block in
      block.contains { Drawing.Row($0).line.wholeMatch(of: /[\w!#|()-]*--[\w!#|()-]*/) != nil }
    }
  }
}
