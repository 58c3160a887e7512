internal import Pacing

/// A sequence that a test feeds by hand and that detects when its reader is released.
///
/// It has one reader, like most sequences of events; elements not yet requested are kept.
package struct Source<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  private let feed = SourceFeed<Element, Failure>()

  package init() {}

  package func send(_ element: Element) {
    feed.add(.success(element))
  }

  package func finish(throwing failure: Failure? = nil) {
    feed.add(failure.map { .failure($0) } ?? .success(nil))
  }

  /// The number of elements that the reader has not taken.
  package var count: Int { feed.count }

  /// Whether the reader's iterator has been released.
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
        feed.add(.success(nil))
      }
      return try answer.get()
    }
  }
}

private final class SourceFeed<Element: Sendable, Failure: Error>: Sendable {
  typealias Answer = Result<Element?, Failure>

  private struct State {
    var answers = FIFO<Answer>()
    var reader: CheckedContinuation<Answer, Never>?
    var isReleased = false
  }

  private let state = Locked(State())

  var count: Int { state.withLock { $0.answers.count } }
  var isReleased: Bool { state.withLock { $0.isReleased } }

  func add(_ answer: Answer) {
    let reader = state.withLock { state in
      guard let reader = state.reader.take() else {
        state.answers.append(answer)
        return nil as CheckedContinuation<Answer, Never>?
      }
      return reader
    }
    reader?.resume(returning: answer)
  }

  func ask() async -> Answer {
    await withCheckedContinuation { reader in
      let answer = state.withLock { state in
        let answer = state.answers.popFirst()
        if answer == nil { state.reader = reader }
        return answer
      }
      if let answer { reader.resume(returning: answer) }
    }
  }

  /// Records that the reader is gone, and drops the elements that it has not taken.
  func release() {
    _ = state.withLock { state in
      state.isReleased = true
      return state.answers.takeAll()
    }
  }
}

/// The error of a source.
package struct Fault: Error, Equatable {
  package init() {}
}
