import Dispatch
import Observation
import Pacing
import PacingTesting
import Testing

// snippet: main
@MainActor @Observable
final class SearchField {
  private(set) var results = [String]()
  private let search = Debouncer<String>(for: .milliseconds(300))

  init() {
    search.deliver(to: self) { field, query in field.results.append(query) }
  }

  func type(_ text: String) { search.send(text) }
  func submit() { search.flush() }
}
// end

@Suite("README: places and clocks")
struct Places {
  @Test("the main actor")
  @MainActor
  func mainActor() {
    let field = SearchField()
    field.type("swift")
    field.submit()
    #expect(field.results.isEmpty, "a handler never runs on the caller's stack")
  }

  @Test("a queue")
  func queue() async {
    await withCheckedContinuation { continuation in
      let write = { @Sendable (text: String) in continuation.resume() }
      // snippet: queue
      let files = DispatchQueue(label: "files")
      let save = Throttler<String>(every: .seconds(1), on: .queue(files)) { text in write(text) }
      save.send("draft")
      // end
      save.finish(.atOnce)
    }
  }

  @Test("a stream of ticks")
  func stream() async {
    var rendered = [String]()
    func render(_ text: String) async { rendered.append(text) }
    // snippet: stream
    let edits = Debouncer<String>(for: .milliseconds(300))
    let ticks = edits.ticks()
    edits.send("draft")
    edits.finish()
    for await text in ticks { await render(text) }
    // end
    #expect(rendered == ["draft"])
  }
}
