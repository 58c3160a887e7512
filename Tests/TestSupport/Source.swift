internal import Pacing

/// A sequence that a test feeds by hand, and that knows when its reader has dealt with an element.
///
/// `send` returns when the reader has asked again, `finish` when it has let go of the iterator: what was
/// to become of the element or the end has happened by then, on whatever thread. So a test that feeds an
/// operator needs no sleep. There is one reader, as of most sequences of events.
package struct Source<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  private let feed = SourceFeed<Element, Failure>()

  package init() {}

  /// Hands an element over, and returns when the reader has asked for the next or has gone.
  package func send(_ element: Element) async {
    await push(element)
    await feed.waitForReader()
  }

  /// Hands an element over; the reader may take its time before it asks again.
  package func push(_ element: Element) async {
    await feed.waitForReader()
    feed.answer(.success(element))
  }

  /// Ends the sequence, and returns when the reader has let go of it.
  package func finish(throwing failure: Failure? = nil) async {
    await feed.waitForReader()
    feed.answer(failure.map { .failure($0) } ?? .success(nil))
    await feed.waitForRelease()
  }

  /// Returns when the reader asks for an element, or has gone.
  package func waitForReader() async { await feed.waitForReader() }

  /// Returns when the reader has let go of the iterator.
  package func waitForRelease() async { await feed.waitForRelease() }

  /// Whether the reader has let go of the iterator.
  package var isReleased: Bool { feed.isReleased }

  package func makeAsyncIterator() -> Iterator { Iterator(feed) }

  package final class Iterator: AsyncIteratorProtocol {
    private let feed: SourceFeed<Element, Failure>

    fileprivate init(_ feed: SourceFeed<Element, Failure>) {
      self.feed = feed
    }

    deinit {
      feed.release()
    }

    package func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      let feed = feed
      let answer = await withTaskCancellationHandler {
        await feed.ask()
      } onCancel: {
        feed.answer(.success(nil))
      }
      return try answer.get()
    }
  }
}

private final class SourceFeed<Element: Sendable, Failure: Error>: Sendable {
  typealias Answer = Result<Element?, Failure>

  private struct State {
    var reader: CheckedContinuation<Answer, Never>?
    var isReleased = false
    var waitingForReader = [CheckedContinuation<Void, Never>]()
    var waitingForRelease = [CheckedContinuation<Void, Never>]()
  }

  private let state = Locked(State())

  var isReleased: Bool { state.withLock { $0.isReleased } }

  func ask() async -> Answer {
    await withCheckedContinuation { reader in
      let waiting = state.withLock { state in
        state.reader = reader
        defer { state.waitingForReader = [] }
        return state.waitingForReader
      }
      // A task that was cancelled before it asked has nobody left to answer it.
      if Task.isCancelled { answer(.success(nil)) }
      for test in waiting { test.resume() }
    }
  }

  /// Answers the reader if it asks; an answer for one that has gone is lost.
  func answer(_ answer: Answer) {
    state.withLock { $0.reader.take() }?.resume(returning: answer)
  }

  func release() {
    let waiting = state.withLock { state in
      state.isReleased = true
      defer { (state.waitingForReader, state.waitingForRelease) = ([], []) }
      return state.waitingForReader + state.waitingForRelease
    }
    for test in waiting { test.resume() }
  }

  func waitForReader() async {
    await wait(\.waitingForReader) { $0.reader != nil || $0.isReleased }
  }

  func waitForRelease() async {
    await wait(\.waitingForRelease, isOver: \.isReleased)
  }

  private func wait(
    _ list: WritableKeyPath<State, [CheckedContinuation<Void, Never>]>,
    isOver: (State) -> Bool
  ) async {
    await withCheckedContinuation { test in
      let isOver = state.withLock { state in
        let isOver = isOver(state)
        if !isOver { state[keyPath: list].append(test) }
        return isOver
      }
      if isOver { test.resume() }
    }
  }
}
