import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedConcurrencyLimit: laws")
struct KeyedPermitLawTests {
  @Test(
    "every program has the permits, keys and waiters of two lines of people",
    arguments: Soak.portions(400))
  func programs(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var program = Program(seed: seed)
      program.run(60)
      if let complaint = program.complaint {
        Issue.record("seed \(seed): \(complaint)\n\(program.log.joined(separator: "\n"))")
      }
    }
  }
}

/// The two lines as they are told of: one before each key's door, and one behind it.
private struct Lines {
  let perKey: Int
  let total: Int
  let maximumKeys: Int
  private(set) var held = [Int: String]()
  private(set) var atKey = [(name: Int, key: String)]()
  private(set) var atTotal = [(name: Int, key: String)]()

  /// Those behind a key's door: they hold its permit.
  private func inside(_ key: String) -> Int {
    held.values.count { $0 == key } + atTotal.count { $0.key == key }
  }

  var keys: Set<String> { Set(held.values).union((atKey + atTotal).map(\.key)) }

  func admits(_ key: String) -> Bool { keys.contains(key) || keys.count < maximumKeys }

  mutating func tryAcquire(_ name: Int, _ key: String) -> Bool {
    guard admits(key), !atKey.contains(where: { $0.key == key }), inside(key) < perKey,
      atTotal.isEmpty, held.count < total
    else { return false }
    held[name] = key
    return true
  }

  mutating func acquire(_ name: Int, _ key: String) {
    guard admits(key) else { return }
    atKey.append((name, key))
    move()
  }

  mutating func leave(_ name: Int) {
    atKey.removeAll { $0.name == name }
    atTotal.removeAll { $0.name == name }
    move()
  }

  mutating func release(_ name: Int) {
    held[name] = nil
    move()
  }

  /// Lets people go on, from the last line to the first.
  private mutating func move() {
    repeat {
      while held.count < total, !atTotal.isEmpty {
        let next = atTotal.removeFirst()
        held[next.name] = next.key
      }
      guard let next = atKey.firstIndex(where: { inside($0.key) < perKey }) else { return }
      atTotal.append(atKey.remove(at: next))
    } while true
  }
}

/// A random program of calls, made on a limit and on the lines.
private struct Program {
  private(set) var log = [String]()
  private(set) var complaint: String?
  private var lines: Lines
  private let clock = ManualClock()
  private let limit: KeyedConcurrencyLimit<String>
  private let permits = Locked([Int: Permit]())
  private var tasks = [Int: Task<Void, Never>]()
  private var count = 0
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    lines = Lines(
      perKey: Int.random(in: 1...3, using: &random), total: Int.random(in: 1...5, using: &random),
      maximumKeys: Int.random(in: 1...5, using: &random))
    limit = KeyedConcurrencyLimit(
      perKey: lines.perKey, total: lines.total, maximumKeys: lines.maximumKeys, clock: clock)
    log = ["\(lines.perKey) of \(lines.total), \(lines.maximumKeys) keys"]
  }

  mutating func run(_ steps: Int) {
    for _ in 0..<steps where complaint == nil {
      step()
      clock.advance(by: .zero)
      compare()
    }
  }

  private mutating func step() {
    let key = ["a", "b", "c", "d"].randomElement(using: &random)!
    switch Int.random(in: 0...9, using: &random) {
    case 0...1:
      count += 1
      log.append("tryAcquire \(count): \(key)")
      let permit = limit.tryAcquire(for: key)
      if (permit != nil) != lines.tryAcquire(count, key) { complaint = "tryAcquire" }
      permits.withLock { $0[count] = permit }
    case 2...5:
      count += 1
      log.append("acquire \(count): \(key)")
      let (limit, permits, name) = (limit, permits, count)
      tasks[name] = clock.run {
        guard let permit = try? await limit.acquire(for: key) else { return }
        permits.withLock { $0[name] = permit }
      }
      lines.acquire(name, key)
    case 6...7:
      let waiting = (lines.atKey + lines.atTotal).map(\.name)
      guard let name = waiting.randomElement(using: &random) else { return }
      log.append("leave \(name)")
      tasks[name]?.cancel()
      lines.leave(name)
    default:
      guard let name = lines.held.keys.sorted().randomElement(using: &random) else { return }
      log.append("release \(name)")
      let permit = permits.withLock { $0.removeValue(forKey: name) }
      if Bool.random(using: &random) { permit?.release() }
      lines.release(name)
    }
  }

  private mutating func compare() {
    let held = permits.withLock { Set($0.keys) }
    if held != Set(lines.held.keys) { complaint = "\(held.sorted()), not \(lines.held)" }
    if limit.heldCount != lines.held.count { complaint = "\(limit.heldCount) held" }
    if limit.keyCount != lines.keys.count { complaint = "\(limit.keyCount) keys" }
    let waiting = lines.atKey.count + lines.atTotal.count
    if limit.waitingCount != waiting { complaint = "\(limit.waitingCount) wait, not \(waiting)" }
  }
}
