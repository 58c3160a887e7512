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

  init(clock: any PacingClock) {
    saves = KeyedDebouncer(for: .seconds(1), on: .main, clock: clock) { [weak self] id, text in
      self?.saved.append("\(id) \(text)")
    }
    shares = KeyedThrottler(every: .seconds(1), edges: .leading, on: .main, clock: clock) {
      [weak self] id, text in
      await Task.yield()
      self?.saved.append("\(id) shared \(text)")
    }
  }

  static func tryOut() async {
    let clock = ManualClock()
    let library = Library(clock: clock)
    for text in ["d", "draft"] {
      for id in 1...2 { library.saves?.send(text, key: id) }
    }
    verify(library.saves?.keyCount == 2, "two keys are in use")
    clock.advance(by: .seconds(1))
    await clock.settle()
    verify(library.saved.sorted() == ["1 draft", "2 draft"], "the last of each document")
    library.shares?.send("draft", key: 1)
    library.shares?.send("again", key: 1)
    await clock.settle()
    verify(library.saved.last == "1 shared draft", "an async handler on the main actor")
  }
}

/// An actor whose tools belong to it, and do not keep it.
actor Index {
  private var entries = [String]()
  private var updates: KeyedDebouncer<String, Int>?

  func open(clock: ManualClock) {
    updates = KeyedDebouncer(for: .seconds(1), on: self, clock: clock) { index, word, count in
      index.entries.append("\(word) \(count)")
    }
  }

  func add(_ word: String, _ count: Int) { updates?.send(count, key: word) }
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
    every: .seconds(1), keyLimit: KeyLimit(maximumKeys: 1),
    on: .queue(DispatchQueue(label: "client")),
    clock: clock
  ) { _, _ in }
  limited.onDrop { key, value, reason in
    dropped.withLock { $0.append("\(key) \(value) \(reason)") }
  }
  for key in ["a", "b"] { limited.send(1, key: key) }
  limited.send(2, key: "a")
  verify(limited.pending("a") == 2 && limited.cancel("a") == 2, "a key's value is withdrawn")
  await clock.settle()
  clock.runReady()
  verify(dropped.withLock { $0.contains("b 1 overflow") }, "a drop is told")
  verify(limited.statistics.dropped(.overflow) == 1, "and counted")
  limited.interval = .seconds(2)
  limited.isEnabled = false
  limited.send(3, key: "a", every: .zero)
  verify(limited.timeRemaining("a") == nil && limited.reset("a") == nil, "it was not taken")
  verify(!limited.flush("a") && !limited.flush(), "nothing is left to flush")

  let stream = KeyedDebouncer<String, Int>(
    for: .zero, keeping: .reducing(max), varying: { key, _ in key == "b" ? .zero : nil },
    keyLimit: KeyLimit(maximumKeys: 1_000, whenFull: .flushEarliest), clock: clock)
  let ticks = stream.ticks()
  for value in 1...2 {
    for key in ["a", "b"] { stream.send(value, key: key) }
  }
  stream.finish()
  var taken = [KeyedValue<String, Int>]()
  for await element in ticks { taken.append(element) }
  verify(taken == [.init(key: "a", value: 2), .init(key: "b", value: 2)], "the newest of each")
}
