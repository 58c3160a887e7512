import Pacing
import PacingTesting

/// A class of the main actor that reads operators in tasks of its own.
@MainActor
final class SearchModel {
  private(set) var results = [String]()
  private let keystrokes: PacedSequence<String, Never>
  private var search: Task<Void, Never>?

  init(keystrokes: AsyncStream<String>) {
    self.keystrokes = keystrokes.debounced(for: .milliseconds(1), maximumWait: .seconds(1))
  }

  func start() {
    // Nothing throws here, so no `try`; the loop stays on the main actor.
    search = Task { [keystrokes, weak self] in
      for await query in keystrokes { self?.show(query) }
    }
  }

  private func show(_ query: String) {
    results.append("results for \(query)")
  }

  static func tryOut() async {
    let (keystrokes, keyboard) = AsyncStream.makeStream(of: String.self)
    let model = SearchModel(keystrokes: keystrokes)
    model.start()
    for text in ["s", "sw", "swift"] { keyboard.yield(text) }
    keyboard.finish()
    await model.search?.value
    verify(model.results.last == "results for swift", "the last one is searched")
  }
}

struct LineError: Error, Equatable {}

private func numbers(_ range: ClosedRange<Int>) -> AsyncThrowingStream<Int, any Error> {
  AsyncThrowingStream { continuation in
    for number in range { continuation.yield(number) }
    continuation.finish(throwing: LineError())
  }
}

func operateOnSequences() async throws {
  var batches = [[Int]]()
  do {
    let limit = BatchLimit(maximumCount: 2)
    let source = numbers(1...5).delayed(by: .microseconds(1), onError: .atOnce)
    for try await batch in source.batched(limit, onError: .atOnce) { batches.append(batch) }
    verify(false, "the error is not lost")
  } catch {
    verify(error is LineError, "the error is upstream's own")
  }
  verify(batches == [[1, 2], [3, 4], [5]], "no element is lost")

  let progress = AsyncStream { continuation in
    for percent in 0...100 { continuation.yield(percent) }
    continuation.finish()
  }
  var shown = [Int]()
  for await percent in progress.throttled(every: .milliseconds(1), keeping: .latest) {
    shown.append(percent)
  }
  verify(shown.first != nil && shown.last == 100, "the last one is shown")

  let (levels, meter) = AsyncStream.makeStream(of: Double.self)
  let audited = levels.audited(for: .milliseconds(1)).makeAsyncIterator()
  let sampled = levels.sampled(every: .seconds(60), atEnd: .atOnce)
  _ = (audited, sampled)
  meter.finish()

  let (beats, heart) = AsyncStream.makeStream(of: Void.self)
  heart.yield()
  do {
    for try await _ in beats.timeout(after: .milliseconds(1), first: .seconds(60)) {}
    verify(false, "the silence is noticed")
  } catch let error as TimeoutError {
    verify(error.limit == .milliseconds(1), "the limit that was not met")
  }
}

/// Chains are sendable: they can be made in one place and read in another, here on virtual time.
func chainSequences() async {
  let clock = ManualClock()
  let (values, source) = AsyncStream.makeStream(of: Int.self)
  let chain = values.delayed(until: clock.now, clock: clock)
    .throttled(every: .zero, clock: clock)
    .batched(maximumCount: 1, maximumDelay: .seconds(1), clock: clock)
  source.yield(1)
  source.finish()
  let reader = clock.run {
    var batches = [[Int]]()
    for await batch in chain { batches.append(batch) }
    return batches
  }
  let batches = await reader.value
  verify(batches == [[1]], "a chain is read to its end")
}
