import Pacing
import Testing

@Suite("Choosing.md")
struct Choosing {
  @Test("a tool in each of its forms")
  func forms() {
    let keys = AsyncStream<String> { $0.finish() }
    @Sendable func find(_ text: String) {}
    @Sendable func save(_ text: String, as id: Int) {}
    @Sendable func isFree(_ name: String) async throws -> Bool { true }
    // snippet: choosing-forms
    let search = Debouncer<String>(for: .milliseconds(300)) { text in find(text) }
    let typing = Debouncer<String>(for: .milliseconds(300))
    let texts = typing.ticks()  // for await text in texts
    let queries = keys.debounced(for: .milliseconds(300))  // for await query in queries
    let check = AsyncDebouncer<String, Bool>(for: .milliseconds(300)) { try await isFree($0) }
    let saves = KeyedDebouncer<Int, String>(for: .seconds(1)) { id, text in save(text, as: id) }
    // end
    #expect(!search.isPending && !check.isPending && saves.keyCount == 0)
    _ = (texts, queries)
  }
}
