import Pacing
import PacingTesting
import TestSupport
import Testing

/// A tool in which the value 0 is pending, and the fate of each value.
///
/// Fates: d delivered, w withdrawn by `cancel`, f refused after `finish`, x dropped with the tool,
/// m merged into a newer value, - never sent. Brackets enclose several.
private final class Contestant: Sendable {
  enum Kind: CaseIterable {
    case debouncer, throttler, auditor, sampler, batcher, keyedDebouncer, keyedThrottler
    /// A keyed tool whose calls apply to all keys.
    case everyKey
  }

  private struct Face: Sendable {
    let send: @Sendable (Int) -> Void
    let flush: @Sendable () -> Bool
    let cancel: @Sendable () -> [Int]
    let finish: @Sendable () -> Void
  }

  private let clock = ManualClock()
  private let face = Slot<Face>()
  private let sent = EventRecorder<Int>()
  private let delivered = EventRecorder<Int>()
  private let dropped = EventRecorder<(value: Int, reason: DropReason)>()
  private let returned = EventRecorder<Int>()

  init(_ kind: Kind) {
    let wait = Duration.seconds(1)
    let deliver: @Sendable (Int) -> Void = { [delivered] in delivered.record($0) }
    switch kind {
    case .debouncer: adopt(Debouncer(for: wait, clock: clock, handler: deliver))
    case .throttler: adopt(Throttler(every: wait, edges: .trailing, clock: clock, handler: deliver))
    case .auditor: adopt(Auditor(for: wait, clock: clock, handler: deliver))
    case .sampler: adopt(Sampler(every: wait, clock: clock, handler: deliver))
    case .batcher:
      let tool = Batcher<Int>(.init(maximumCount: 9, maximumDelay: wait), clock: clock) { batch in
        for value in batch { deliver(value) }
      }
      tool.onDrop { [dropped] batch, reason in
        for value in batch { dropped.record((value, reason)) }
      }
      face.put(
        Face(
          send: { tool.send($0) }, flush: { tool.flush() }, cancel: { tool.cancel() },
          finish: { tool.finish(.atOnce) }))
    case .keyedDebouncer:
      adopt(KeyedDebouncer<Int, Int>(for: wait, clock: clock) { deliver($1) })
    case .keyedThrottler:
      adopt(KeyedThrottler<Int, Int>(every: wait, edges: .trailing, clock: clock) { deliver($1) })
    case .everyKey:
      let tool = KeyedDebouncer<Int, Int>(for: wait, clock: clock) { deliver($1) }
      adopt(tool, flush: { tool.flush() }, cancel: { Array(tool.cancel().values) })
    }
    send(0)
  }

  private func adopt(_ tool: some ValuePacingTool<Int>) {
    tool.onDrop { [dropped] in dropped.record(($0, $1)) }
    face.put(
      Face(
        send: { tool.send($0) }, flush: { tool.flush() },
        cancel: { tool.cancel().map { [$0] } ?? [] }, finish: { tool.finish(.atOnce) }))
  }

  private func adopt(_ tool: some KeyedPacingTool<Int, Int>) {
    adopt(
      tool, flush: { tool.flush(for: 7) }, cancel: { tool.cancel(for: 7).map { [$0] } ?? [] })
  }

  private func adopt(
    _ tool: some KeyedPacingTool<Int, Int>, flush: @escaping @Sendable () -> Bool,
    cancel: @escaping @Sendable () -> [Int]
  ) {
    tool.onDrop { [dropped] change, reason in dropped.record((change.value, reason)) }
    face.put(
      Face(
        send: { tool.send($0, for: 7) }, flush: flush, cancel: cancel,
        finish: { tool.finish(.atOnce) }))
  }

  // MARK: What meets

  func send(_ value: Int) {
    guard let face = face.value else { return }
    sent.record(value)
    face.send(value)
  }

  func perform(_ call: ValuePairRaceTests.Call, sending value: Int) {
    switch call {
    case .send: send(value)
    case .flush: _ = face.value?.flush()
    case .cancel: for value in face.value?.cancel() ?? [] { returned.record(value) }
    case .finish: face.value?.finish()
    case .drop: face.put(nil)
    case .due: clock.advance(by: .seconds(1))
    }
  }

  /// Runs everything still pending, and returns the fates of the values.
  func outcome(of values: Range<Int>) -> String {
    clock.advance(by: .seconds(10))
    face.put(nil)
    clock.advance(by: .zero)
    #expect(clock.pendingCount == 0)
    let delivered = delivered.values
    // Values 1 and 2 come from two threads, in either order.
    #expect(delivered.isEmpty || delivered.firstIndex(of: 0) ?? 0 == 0)
    let withdrawn = dropped.values.filter { $0.reason == .cancelled }.map(\.value)
    #expect(returned.values.allSatisfy(withdrawn.contains))
    return values.map(fate).joined()
  }

  private func fate(of value: Int) -> String {
    var fates = delivered.values.filter { $0 == value }.map { _ in "d" }
    fates += dropped.values.filter { $0.value == value }.map { drop in
      switch drop.reason {
      case .cancelled: "w"
      case .finished: "f"
      case .deinitialized: "x"
      default: "?"
      }
    }
    guard sent.values.contains(value) else { return fates.isEmpty ? "-" : "[-]" }
    guard fates.count < 2 else { return "[\(fates.joined())]" }
    return fates.first ?? "m"
  }
}

@Suite("Values: every two calls that can meet", .alone)
struct ValuePairRaceTests {
  enum Call: CaseIterable, Comparable {
    case send, flush, cancel, finish, drop, due
  }

  struct Pair: Sendable, CustomTestStringConvertible {
    let first: Call
    let second: Call
    /// The fates of the values 0, 1 and 2: the first call, if it sends, sends 1, the second sends
    /// 2.
    let outcomes: Set<String>
    /// The same for a batcher, which merges nothing.
    let batches: Set<String>

    init(
      _ first: Call, _ second: Call, _ outcomes: Set<String>, batches: Set<String>? = nil
    ) {
      (self.first, self.second, self.outcomes) = (first, second, outcomes)
      self.batches = batches ?? outcomes
    }

    var testDescription: String { "\(first) and \(second)" }
  }

  /// A cancel wins over everything that has not started; a flushed value is decided, and runs even
  /// if the tool is dropped.
  static let pairs = [
    Pair(.send, .send, ["mmd", "mdm"], batches: ["ddd"]),
    Pair(.send, .flush, ["md-", "dd-"], batches: ["dd-"]),
    Pair(.send, .cancel, ["wd-", "mw-"], batches: ["wd-", "ww-"]),
    Pair(.send, .finish, ["md-", "df-"], batches: ["dd-", "df-"]),
    Pair(.send, .drop, ["mx-", "x--"], batches: ["xx-", "x--"]),
    Pair(.send, .due, ["md-", "dd-"], batches: ["dd-"]),
    Pair(.flush, .flush, ["d--"]),
    Pair(.flush, .cancel, ["w--"]),
    Pair(.flush, .finish, ["d--"]),
    Pair(.flush, .drop, ["d--", "x--"]),
    Pair(.flush, .due, ["d--"]),
    Pair(.cancel, .cancel, ["w--"]),
    Pair(.cancel, .finish, ["w--"]),
    Pair(.cancel, .drop, ["w--", "x--"]),
    Pair(.cancel, .due, ["w--", "d--"]),
    Pair(.finish, .finish, ["d--"]),
    Pair(.finish, .drop, ["d--", "x--"]),
    Pair(.finish, .due, ["d--"]),
    Pair(.drop, .drop, ["x--"]),
    Pair(.drop, .due, ["x--", "d--"]),
    Pair(.due, .due, ["d--"]),
  ]

  @Test("the table names every pair")
  func table() {
    #expect(Call.pairs(leftOutOf: Self.pairs.map { ($0.first, $0.second) }) == [])
  }

  @Test("each value has one fate, and the pair only the outcomes of the table", arguments: pairs)
  func meet(pair: Pair) {
    let meeting = Meeting()
    for kind in Contestant.Kind.allCases {
      let expected = kind == .batcher ? pair.batches : pair.outcomes
      for round in Soak.seeds(25) {
        let tool = Contestant(kind)
        _ = meeting.of(
          { tool.perform(pair.first, sending: 1) }, { tool.perform(pair.second, sending: 2) })
        let outcome = tool.outcome(of: 0..<3)
        #expect(expected.contains(outcome), "\(kind), round \(round): \(outcome)")
      }
    }
  }
}
