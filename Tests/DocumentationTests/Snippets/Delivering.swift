import Pacing
import PacingTesting
import Testing

// snippet: delivering-owner
actor Index {
  private var words = [String]()
  private let insert = Debouncer<String>(for: .milliseconds(100))

  init() {
    insert.handle(in: self) { index, word in
      index.words.append(word)  // isolated to the actor, which is held weakly
    }
  }

  func add(_ word: String) { insert.send(word) }
}
// end

@Suite("Delivering.md")
struct Delivering {
  private let transcript = Transcript()
  private let clock = ManualClock()

  @Test("places")
  @MainActor
  func places() async {
    let upload = { @Sendable (text: String) async in transcript.print(text) }
    final class Page: Sendable {
      func show(_ text: String) {}
    }
    let page = Page()
    var title = ""
    let wait = Duration.seconds(1)
    // snippet: delivering-places
    let main = Debouncer<String>(for: wait).handle(on: .main) { text in title = text }
    let async = Debouncer<String>(for: wait).handle { text in await upload(text) }
    let owned = Debouncer<String>(for: wait).handle(with: page) { page, text in page.show(text) }
    // end
    let tools = [main, async, owned]
    for tool in tools { #expect(!tool.isPending) }
    #expect(title.isEmpty)
    await Index().add("word")
  }

  @Test("a stream")
  func stream() async {
    var rendered = [String]()
    func render(_ text: String) async { rendered.append(text) }
    // snippet: delivering-stream
    let edits = Throttler<String>(every: .seconds(1))  // no handler
    let preview = edits.ticks()  // from now on
    edits.send("draft 1")
    edits.finish()
    for await text in preview { await render(text) }
    // end
    #expect(rendered == ["draft 1"])
  }

  @Test("drops and statistics")
  func drops() {
    // snippet: delivering-drops
    let alarms = Throttler<String>(every: .seconds(60), edges: .leading, clock: clock) { print($0) }
    alarms.onDrop { alarm, reason in print("\(alarm): \(reason)") }  // disk full: edge
    for _ in 1...3 { alarms.send("disk full") }
    let counts = alarms.statistics
    print(counts.received, counts.dropped, counts.dropped(.edge))
    // end
    #expect(counts.received == 3)
    #expect(counts.dropped(.edge) == counts.dropped)
    #expect(counts.received == counts.delivered + counts.merged + counts.dropped + counts.pending)
  }

  @Test("waiting for handlers")
  func waiting() async {
    let write = { @Sendable (text: String) async in transcript.print(text) }
    let save = Debouncer<String>(for: .seconds(5)).handle { text in await write(text) }
    save.send("draft")
    await save.flushAndWait()  // written
    save.send("unwanted")
    await save.cancelAndWait()  // dropped, and no handler runs any more
    #expect(transcript.text.first == "draft")
  }
}
