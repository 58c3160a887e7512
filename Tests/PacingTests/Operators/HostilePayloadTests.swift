import Pacing
import PacingTesting
import TestSupport
import Testing

/// Values and sequences that do what they like.
@Suite("Hostile values and sequences")
struct HostilePayloadTests {
  /// A value that must not be compared, hashed, encoded, decoded or described.
  private struct Untouchable: Hashable, Codable, Sendable, CustomStringConvertible {
    let number: Int

    init(_ number: Int) { self.number = number }
    init(from decoder: any Decoder) throws { fatalError("decoded") }
    func encode(to encoder: any Encoder) throws { fatalError("encoded") }
    static func == (one: Self, other: Self) -> Bool { fatalError("compared") }
    func hash(into hasher: inout Hasher) { fatalError("hashed") }
    var description: String { fatalError("described") }
  }

  private let clock = ManualClock()

  @Test("a value is neither compared nor hashed, encoded nor described by any tool")
  func untouched() {
    let delivered = EventRecorder<Int>()
    let note: @Sendable (Untouchable) -> Void = { delivered.record($0.number) }
    let span = Duration.milliseconds(1)
    let tools: [any ValuePacingTool<Untouchable>] = [
      Debouncer(for: span, edges: .both, clock: clock, handler: note),
      Throttler(every: span, clock: clock, handler: note),
      Auditor(for: span, clock: clock, handler: note),
      Sampler(every: span, clock: clock, handler: note),
    ]
    let batcher = Batcher<Untouchable>(maximumCount: 2, maximumDelay: span, clock: clock) {
      for value in $0 { delivered.record(value.number) }
    }
    let keyed = KeyedDebouncer<Int, Untouchable>(for: span, clock: clock) { note($1) }
    for number in 0..<3 {
      for tool in tools {
        tool.send(Untouchable(number))
        _ = (tool.pending, tool.statistics, tool.isPending)
      }
      batcher.send(Untouchable(number))
      keyed.send(Untouchable(number), for: 0)
    }
    for tool in tools { _ = (tool.flush(), tool.cancel(), tool.finish()) }
    clock.advance(by: .milliseconds(5))
    #expect(delivered.values.contains(2))
    withExtendedLifetime(tools) {}
  }

  @Test("a sequence that is over at once ends every operator, with its error if it has one")
  func overAtOnce() async {
    for kind in OperatorKind.allCases {
      for error in [Fault(), nil] {
        let source = Source<String, Fault>()
        source.finish(throwing: error)
        let sequence = kind.sequence(source, clock)
        let result = EventRecorder<String>()
        clock.run {
          var elements = sequence.makeAsyncIterator()
          do {
            result.record(try await elements.next() ?? "end")
          } catch {
            result.record("error")
          }
        }
        clock.advance(by: .seconds(1))
        #expect(result.values == [error == nil ? "end" : "error"], "\(kind)")
      }
    }
    #expect(clock.pendingCount == 0)
  }
}
