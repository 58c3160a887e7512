import Pacing
import Testing

@Suite("README: first steps")
struct FirstSteps {
  @Test("the first example")
  func first() async throws {
    let transcript = Transcript()
    @Sendable func print(_ line: String) { transcript.print(line) }
    // snippet: first
    let search = Debouncer<String>(for: .milliseconds(300)) { query in print("search \(query)") }
    for text in ["s", "sw", "swift"] { search.send(text) }  // one search: swift

    let bucket = TokenBucket(rate: .perSecond(10), burst: 2)
    for page in 1...4 {
      try await bucket.acquire(within: .seconds(1))  // two at once, then ten a second
      print("page \(page)")
    }

    for await tick in DispatchTimer.ticks(every: .milliseconds(100)) where tick.index >= 4 { break }
    search.finish()
    // end
    await transcript.line("search swift")
    #expect(
      transcript.text.filter { $0.hasPrefix("page") } == ["page 1", "page 2", "page 3", "page 4"])
  }
}
