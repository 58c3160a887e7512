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
  let polling: Poller
  let lookup: AsyncDebouncer<String, Int>

  init(clock: any PacingClock) {
    typing = Debouncer(for: .milliseconds(300), clock: clock)
    saving = KeyedThrottler(every: .seconds(1), clock: clock)
    clockwork = DispatchTimer(.every(.seconds(1)), clock: clock)
    polling = Poller(PollSchedule(every: .seconds(5)), clock: clock)
    lookup = AsyncDebouncer(for: .milliseconds(300), clock: clock)
    typing.deliver(to: self, overlap: .cancelPrevious) { model, text in
      await Task.yield()
      model.results.append(text)
    }
    saving.deliver(to: self) { model, _, text in model.saved += text.count }
    clockwork.deliver(to: self) { model, tick in model.saved += tick.index }
    polling.deliver(to: self) {
      "polled"
    } handler: { model, poll in
      if let text = poll.value { model.results.append(text) }
    }
    lookup.deliver(to: self) { model, text in
      await Task.yield()
      return model.saved + text.count
    }
  }
}

actor WordIndex {
  private(set) var words = [String]()
  private let adding: Batcher<String>
  private let pruning: Throttler<Void>
  let counting: AsyncThrottler<Void, Int>
  let reading: Poller

  init(clock: any PacingClock) {
    adding = Batcher(maximumCount: 2, maximumDelay: .seconds(1), clock: clock)
    pruning = Throttler(every: .seconds(1), clock: clock)
    counting = AsyncThrottler(every: .seconds(1), clock: clock)
    reading = Poller(PollSchedule(every: .seconds(5)), clock: clock)
    counting.deliver(to: self) { index, _ in index.words.count }
    reading.deliver(to: self) { index in
      index.words.count
    } handler: { index, poll in
      index.words.append("\(poll.value ?? -1) words")
    }
    adding.deliver(to: self) { index, words in index.words += words }
    pruning.deliver(to: self) { index, _ in
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

  init(clock: any PacingClock) {
    lines = EventRecorder(clock: clock)
    writing = Debouncer(for: .milliseconds(300), clock: clock)
    writing.deliver(to: self, on: .shared) { journal, line in journal.lines.record(line) }
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
  model.saving.send("draft", key: 1)
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
  verify((try? await index.counting.call())?.value == 1, "its own operation")
  index.reading.start()
  model.polling.start()
  let answer = Task { @MainActor in try? await model.lookup.call("four").value }
  while !model.lookup.isPending { await Task.yield() }
  clock.advance(by: .milliseconds(300))
  await clock.settle()
  verify(await answer.value == 10, "the model's operation")
  verify(await index.words == ["a", "1 words"], "the actor's polls")
  verify(model.results == ["swift", "polled"], "the model's polls")
  verify(journal.lines.values == ["line"], "its own threads")
}
