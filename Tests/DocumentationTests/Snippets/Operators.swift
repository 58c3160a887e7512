import Pacing
import PacingTesting
import Testing

@Suite("Operators.md")
struct Operators {
  @Test("debounced keystrokes")
  func first() async {
    let transcript = Transcript()
    let (keystrokes, keyboard) = AsyncStream.makeStream(of: String.self)
    for text in ["s", "swift"] { keyboard.yield(text) }
    keyboard.finish()
    func show(_ query: String) async { transcript.print(query) }
    // snippet: operators-first
    for await query in keystrokes.debounced(for: .milliseconds(300)) {
      await show(query)
    }
    // end
    #expect(transcript.text.last == "swift")
  }

  @Test("changes by file")
  func byKey() async {
    struct File: Sendable { let path: String }
    let transcript = Transcript()
    let (files, watcher) = AsyncStream.makeStream(of: File.self)
    for path in ["a", "b", "a"] { watcher.yield(File(path: path)) }
    watcher.finish()
    func reload(_ file: File) async { transcript.print(file.path) }
    for await file in files.debounced(for: .seconds(1), by: { $0.path }) {
      await reload(file)
    }
    #expect(transcript.text.sorted() == ["a", "b"])
  }

  @Test("what is pending when upstream throws")
  func errors() async {
    struct Failure: Error {}
    let rows = AsyncThrowingStream<Int, any Error> { continuation in
      continuation.yield(1)
      continuation.finish(throwing: Failure())
    }
    let careful = rows.batched(BatchLimit(maximumCount: 100), onError: .atOnce)
    var iterator = careful.makeAsyncIterator()
    await #expect(throws: Never.self) { try await iterator.next() == [1] }
    await #expect(throws: Failure.self) { try await iterator.next() }
  }

  @Test("an operation for each element, several at a time")
  func mapped() async throws {
    let transcript = Transcript()
    let urls = AsyncStream { continuation in
      for url in ["a", "b", "c"] { continuation.yield(url) }
      continuation.finish()
    }
    let books = [1, 2, 3]
    let bucket = TokenBucket(rate: .unlimited, burst: 1)
    @Sendable func get(_ url: String) async throws -> String { "page \(url)" }
    @Sendable func title(of book: Int) async throws -> String { "title \(book)" }
    func save(_ page: String) { transcript.print(page) }
    // snippet: operators-mapped
    for try await page in urls.mapped(atMost: 8, { try await get($0) }) {
      save(page)
    }
    let titles = try await books.concurrentMap(atMost: 4) { try await title(of: $0) }
    // end
    #expect(transcript.text == ["page a", "page b", "page c"])
    #expect(titles == ["title 1", "title 2", "title 3"])
    let connections = ConcurrencyLimit(10)
    let pages = urls.limited(by: bucket).mapped(atMost: connections) { try await get($0) }
    for try await _ in pages { Issue.record("the stream has been read") }
    #expect(connections.heldCount == 0)
  }

  @Test("a chain")
  func chain() async throws {
    let transcript = Transcript()
    let write = { @Sendable (points: [Int]) async in transcript.print("\(points)") }
    let (moves, mouse) = AsyncStream.makeStream(of: Int.self)
    mouse.yield(1)
    mouse.finish()
    let positions = moves.throttled(every: .milliseconds(100)).timeout(after: .seconds(30))
    let writer = Task {
      for try await points in positions.batched(maximumCount: 50, maximumDelay: .seconds(5)) {
        await write(points)
      }
    }
    do {
      try await writer.value
      #expect(transcript.text == ["[1]"])
    } catch {
      // The machine stood still for half a minute.
      #expect(error is TimeoutError)
    }
  }
}
