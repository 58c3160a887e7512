internal import Pacing

extension ManualClock {
  /// Plays a timeline: advances time step by step, and performs each mark at its step.
  ///
  /// ```swift
  /// clock.play("s-w-i-------ft------") { key in field.type(key) }
  /// ```
  ///
  /// The first character is the present instant, so time ends one step before the timeline's
  /// length. The marks `|` and `#` are performed like any other.
  ///
  /// - Parameters:
  ///   - marbles: The timeline.
  ///   - ties: Which comes first if a mark and a timer fall on the same instant.
  ///   - perform: The action for a mark.
  public func play(
    _ marbles: Marbles, ties: Ties = .timersFirst, _ perform: (Character) throws -> Void
  ) rethrows {
    var player = MarblePlayer(marbles, on: self, ties: ties)
    while let marks = player.next() {
      for mark in marks { try perform(mark) }
      player.endStep()
    }
  }

  /// As `play(_:ties:_:)`, and waits at the end of each step as `settle()` does, for handlers and
  /// for what the code of `run` begins after them.
  ///
  /// Use it if handlers run on queues, on the main actor or asynchronously, and so outside
  /// `advance`.
  public nonisolated(nonsending) func playAndSettle(
    _ marbles: Marbles, ties: Ties = .timersFirst,
    _ perform: nonisolated(nonsending) (Character) async throws -> Void
  ) async rethrows {
    var player = MarblePlayer(marbles, on: self, ties: ties)
    while let marks = player.next() {
      for mark in marks { try await perform(mark) }
      player.endStep()
      repeat {
        await settle()
        runReady()
      } while !time.isIdle && !Task.isCancelled
    }
  }

  /// Plays a timeline into a stream: each mark is an element, and `|` ends the stream.
  ///
  /// ```swift
  /// let (keys, input) = AsyncStream.makeStream(of: Character.self)
  /// clock.play("a-b--|", into: input)
  /// ```
  ///
  /// - Parameters:
  ///   - marbles: The timeline.
  ///   - ties: Which comes first if a mark and a timer fall on the same instant.
  ///   - input: The stream's continuation.
  /// - Precondition: No mark is `#`, because such a stream cannot fail.
  public func play(
    _ marbles: Marbles, ties: Ties = .timersFirst, into input: AsyncStream<Character>.Continuation
  ) {
    play(marbles, ties: ties) { mark in
      ConfigurationError.require(mark != "#", "marbles", marbles, must: "have no #")
      if mark == "|" { input.finish() } else { input.yield(mark) }
    }
  }

  /// As `play(_:ties:into:)`, into a stream that can fail: `#` fails it with a ``MarbleFailure``.
  public func play(
    _ marbles: Marbles, ties: Ties = .timersFirst,
    into input: AsyncThrowingStream<Character, any Error>.Continuation
  ) {
    play(marbles, ties: ties) { mark in
      switch mark {
      case "|": input.finish()
      case "#": input.finish(throwing: MarbleFailure())
      default: input.yield(mark)
      }
    }
  }
}
