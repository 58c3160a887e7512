import Observation
import Pacing
import PacingTesting

/// A view model of today: its tools are constants, and it has no `[weak self]`.
@MainActor @Observable
final class QueryModel {
  private(set) var results = [String]()
  private(set) var saved = 0
  let typing: Debouncer<String>
  let saving: KeyedThrottler<Int, String>
  let clockwork: DispatchTimer
  let again: RetryTimer
  let polling: Poller<String>

  init(clock: any Clock<Duration>) {
    typing = Debouncer(for: .milliseconds(300), clock: clock)
    saving = KeyedThrottler(every: .seconds(1), clock: clock)
    clockwork = DispatchTimer(.every(.seconds(1)), clock: clock)
    again = RetryTimer(backoff: .constant(.seconds(1)), clock: clock)
    polling = Poller(PollSchedule(every: .seconds(5)), clock: clock) { "polled" }
    typing.handle(with: self, on: .main, overlap: .cancelPrevious) { model, text in
      await Task.yield()
      model.results.append(text)
    }
    saving.handle(with: self, on: .main) { model, change in model.saved += change.value.count }
    clockwork.handle(with: self, on: .main) { model, tick in model.saved += tick.index }
    again.handle(with: self, on: .main) { model, attempt in model.saved += attempt.number }
    polling.handle(with: self, on: .main) { model, poll in
      if let text = poll.value { model.results.append(text) }
    }
  }
}

actor WordIndex {
  private(set) var words = [String]()
  private let adding: Batcher<String>
  private let pruning: Throttler<Void>

  init(clock: any Clock<Duration>) {
    adding = Batcher(maximumCount: 2, maximumDelay: .seconds(1), clock: clock)
    pruning = Throttler(every: .seconds(1), clock: clock)
    adding.handle(in: self) { index, words in index.words += words }
    pruning.handle(in: self) { index, _ in
      await Task.yield()
      index.words.removeAll { $0.isEmpty }
    }
  }

  nonisolated func add(_ word: String) { adding.send(word) }
  nonisolated func prune() { pruning.send() }
}

final class Journal: Sendable {
  let lines: EventRecorder<String>
  private let writing: Debouncer<String>

  init(clock: any Clock<Duration>) {
    lines = EventRecorder(clock: clock)
    writing = Debouncer(for: .milliseconds(300), clock: clock)
    writing.handle(with: self) { journal, line in journal.lines.record(line) }
  }

  func write(_ line: String) { writing.send(line) }
}

@MainActor
func deliverToOwners() async {
  let clock = ManualClock()
  let model = QueryModel(clock: clock)
  let index = WordIndex(clock: clock)
  let journal = Journal(clock: clock)
  model.typing.send("swift")
  model.saving.send("draft", for: 1)
  model.clockwork.start()
  for word in ["a", ""] { index.add(word) }
  clock.advance(by: .milliseconds(1))
  await clock.settle()
  index.prune()
  journal.write("line")
  for _ in 0..<2 {
    clock.advance(by: .seconds(1))
    await clock.settle()
  }
  verify(model.results == ["swift"], "the main actor")
  verify(model.saved == 6, "by key, and by ticks")
  verify(await index.words == ["a"], "the actor")
  model.again.scheduleNext()
  model.polling.start()
  clock.advance(by: .milliseconds(1))
  await clock.settle()
  verify(model.results == ["swift", "polled"], "the model's polls")
  clock.advance(by: .milliseconds(999))
  await clock.settle()
  verify(model.saved >= 7, "the model's attempts")
  verify(journal.lines.values == ["line"], "its own threads")
}
