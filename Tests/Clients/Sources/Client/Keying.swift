import Dispatch
import Pacing
import PacingTesting
import Synchronization

/// A class of the main actor that saves documents, each after a burst of changes of its own.
@MainActor
final class Library {
  private var saved = [String]()
  private var saves: KeyedDebouncer<Int, String>?
  private var shares: KeyedThrottler<Int, String>?

  init(clock: any Clock<Duration>) {
    saves = KeyedDebouncer(for: .seconds(1), clock: clock).handle(on: .main) {
      [weak self] id, text in
      self?.saved.append("\(id) \(text)")
    }
    shares = KeyedThrottler(every: .seconds(1), edges: .leading, clock: clock).handle(on: .main) {
      [weak self] id, text in
      await Task.yield()
      self?.saved.append("\(id) shared \(text)")
    }
  }

  static func tryOut() async {
    let clock = ManualClock()
    let library = Library(clock: clock)
    for text in ["d", "draft"] {
      for id in 1...2 { library.saves?.send(text, for: id) }
    }
    verify(library.saves?.keyCount == 2, "two keys are in use")
    clock.advance(by: .seconds(1))
    await clock.settle()
    verify(library.saved.sorted() == ["1 draft", "2 draft"], "the last of each document")
    library.shares?.send("draft", for: 1)
    library.shares?.send("again", for: 1)
    await clock.settle()
    verify(library.saved.last == "1 shared draft", "an async handler on the main actor")
  }
}

/// An actor whose tools belong to it, and do not keep it.
actor Index {
  private var entries = [String]()
  private var updates: KeyedDebouncer<String, Int>?

  func open(clock: ManualClock) {
    updates = KeyedDebouncer(for: .seconds(1), clock: clock).handle(in: self) { index, change in
      index.entries.append("\(change.key) \(change.value)")
    }
  }

  func add(_ word: String, _ count: Int) { updates?.send(count, for: word) }
  func all() -> [String] { entries }
}

func debounceByKey() async {
  let clock = ManualClock()
  await Library.tryOut()
  let index = Index()
  await index.open(clock: clock)
  await index.add("swift", 1)
  await index.add("swift", 2)
  clock.advance(by: .seconds(1))
  await clock.settle()
  let entries = await index.all()
  verify(entries == ["swift 2"], "the actor has the last of the key")

  let dropped = Mutex([String]())
  let limited = KeyedThrottler<String, Int>(
    every: .seconds(1), maximumKeys: 1, clock: clock
  ).handle(on: .queue(DispatchQueue(label: "client"))) { _, _ in }
  limited.onDrop { change, reason in
    dropped.withLock { $0.append("\(change.key) \(change.value) \(reason)") }
  }
  for key in ["a", "b"] { limited.send(1, for: key) }
  limited.send(2, for: "a")
  verify(limited.pending(for: "a") == 2 && limited.pending["a"] == 2, "a key's value")
  verify(limited.cancel(for: "a") == 2, "it is withdrawn")
  await clock.settle()
  clock.runReady()
  verify(dropped.withLock { $0.contains("b 1 overflow") }, "a drop is told")
  verify(limited.statistics.dropped(.overflow) == 1, "and counted")
  limited.interval = .seconds(2)
  limited.finish()
  limited.send(3, for: "a", every: .zero)
  verify(limited.timeRemaining(for: "a") == nil, "it was not taken")
  verify(limited.reset(for: "a") == nil && limited.reset().isEmpty, "nothing is left to withdraw")
  verify(!limited.flush(for: "a") && !limited.flush(), "nothing is left to flush")

  let stream = KeyedDebouncer<String, Int>(
    for: .zero, keeping: .reducing(max), varying: { key, _ in key == "b" ? .zero : nil },
    maximumKeys: 1_000, whenFull: .makeRoom, clock: clock)
  let ticks = stream.ticks()
  for value in 1...2 {
    for key in ["a", "b"] { stream.send(value, for: key, waiting: .zero) }
  }
  stream.finish()
  var taken = [String: Int]()
  for await (key, value) in ticks { taken[key] = value }
  verify(taken == ["a": 2, "b": 2], "the newest of each")
}
