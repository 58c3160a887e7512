import Observation
import Pacing
import PacingTesting
import Testing

@Suite("Debouncing.md")
struct Debouncing {
  private let transcript = Transcript()

  @Test("the first example")
  func first() async {
    @Sendable func print(_ line: String) { transcript.print(line) }
    // snippet: debouncing-first
    let search = Debouncer<String>(for: .milliseconds(300)) { query in print("search \(query)") }
    search.send("s")
    search.send("sw")
    search.send("swift")  // 300 ms later: search swift
    // end
    await transcript.line("search swift")
    #expect(transcript.text.last == "search swift")
  }

  @Test("edges")
  func edges() {
    let clock = ManualClock()
    @Sendable func print(_ line: String) { transcript.print(line) }
    let toggle = { @Sendable in transcript.print("toggle") }
    // snippet: debouncing-edges
    let taps = Debouncer<Void>(for: .milliseconds(500), edges: .leading, clock: clock) { toggle() }
    taps.send()
    taps.send()  // a double tap: dropped
    let edits = Debouncer<String>(for: .seconds(1), edges: .both, clock: clock) { print($0) }
    edits.send("draft")  // at once
    edits.send("final")  // a second later
    // end
    clock.advance(by: .zero)
    #expect(transcript.text == ["toggle", "draft"])
    clock.advance(by: .seconds(1))
    #expect(transcript.text == ["toggle", "draft", "final"])
  }

  @Test("what is kept")
  func kept() {
    let clock = ManualClock()
    let reload = { @Sendable (files: Set<String>) in
      transcript.print(files.sorted().joined(separator: " "))
    }
    // snippet: debouncing-reducing
    let changes = Debouncer<Set<String>>(
      for: .milliseconds(100), maximumWait: .seconds(2), keeping: .reducing { $0.union($1) },
      clock: clock
    ) { files in reload(files) }
    changes.send(["a.swift"])
    changes.send(["b.swift"])  // 100 ms later: reload both
    // end
    clock.advance(by: .milliseconds(100))
    #expect(transcript.text == ["a.swift b.swift"])
  }

  @Test("waits that vary")
  func varying() {
    let clock = ManualClock()
    let run = { @Sendable (query: String) in transcript.print(query) }
    // snippet: debouncing-varying
    let search = Debouncer<String>(
      for: .milliseconds(300),
      varying: { $0.count < 3 ? .milliseconds(600) : nil },  // nil: the usual wait
      clock: clock
    ) { query in run(query) }
    search.send("sw")  // 600 ms
    search.send("swift")  // 300 ms
    search.send("swift ", waiting: .milliseconds(50))  // this one only
    search.wait = .milliseconds(400)  // from the next value on
    // end
    clock.advance(by: .milliseconds(50))
    #expect(transcript.text == ["swift "])
    #expect(search.wait == .milliseconds(400))
  }

  @Test("flush, cancel, finish")
  func verbs() async {
    // snippet: debouncing-verbs
    let save = Debouncer<String>(for: .seconds(1)) { text in print(text) }
    save.send("draft 1")
    await save.flushAndWait()  // delivered now, exactly once; flush() does not wait for the handler
    save.flush()  // false: nothing is pending
    save.send("draft 2")
    print(save.pending ?? "")  // draft 2
    let withdrawn = save.cancel()  // "draft 2", which will not be delivered
    save.finish()  // takes no more values
    // end
    // Withdrawn, unless the machine stood still for a second before that.
    #expect(save.statistics.delivered == (withdrawn == "draft 2" ? 1 : 2))
  }

  @Test("keys")
  func keys() {
    struct Document: Sendable {
      let id: Int
      var text = ""
    }
    let clock = ManualClock()
    let write = { @Sendable (document: Document) in transcript.print(document.text) }
    let document = Document(id: 1, text: "one")
    let other = Document(id: 2, text: "two")
    // snippet: debouncing-keyed
    let saves = KeyedDebouncer<Int, Document>(
      for: .seconds(1), maximumKeys: 10_000, whenFull: .makeRoom, clock: clock
    ) { id, document in write(document) }
    saves.send(document, for: document.id)
    saves.send(other, for: other.id)
    saves.flush(for: document.id)  // one of them
    saves.cancel(for: other.id)  // the other, which it returns
    saves.flush()  // all that is left
    print(saves.keyCount)  // those in use
    // end
    clock.advance(by: .zero)
    #expect(transcript.text == ["one"])
    #expect(saves.keyCount == 0)
  }

  @Test("callers that wait")
  func callers() async throws {
    let isFree = { @Sendable (name: String) async throws in name != "root" }
    let show = { @Sendable (free: Bool) in transcript.print(free ? "free" : "taken") }
    // snippet: debouncing-calls
    let check = AsyncDebouncer<String, Bool>(for: .milliseconds(300)) { name in
      try await isFree(name)
    }
    let outcome = try await check.call("swift")
    if let free = outcome.value { show(free) }
    // Without a value it is .superseded, because a newer call gets the answer, or .cancelled, with
    // this task or with the debouncer.
    // end
    #expect(transcript.text == ["free"])
  }
}
