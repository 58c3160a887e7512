internal import Pacing

extension ManualClock {
  /// Plays a timeline: moves time step by step, and performs each mark when its step has come.
  ///
  /// ```swift
  /// clock.play("s-w-i-------ft------") { key in field.type(key) }
  /// ```
  ///
  /// The first character is the present instant, so time ends a step before the timeline's length.
  /// The marks `|` and `#` are performed like any other.
  ///
  /// - Parameters:
  ///   - marbles: The timeline.
  ///   - ties: What comes first where a mark and a timer fall on the same instant.
  ///   - perform: What a mark stands for.
  public func play(
    _ marbles: Marbles, ties: Ties = .timersFirst, _ perform: (Character) throws -> Void
  ) rethrows {
    var player = MarblePlayer(marbles, on: self, ties: ties)
    while let marks = player.next() {
      for mark in marks { try perform(mark) }
      player.endStep()
    }
  }

  /// Plays a timeline, and waits in each step for handlers that do not run inside `advance`: those
  /// on queues and on the main actor, and async ones.
  ///
  /// It is `play` with a `settle()` at the end of each step.
  ///
  /// - Parameters:
  ///   - marbles: The timeline.
  ///   - ties: What comes first where a mark and a timer fall on the same instant.
  ///   - perform: What a mark stands for.
  public nonisolated(nonsending) func playAndSettle(
    _ marbles: Marbles, ties: Ties = .timersFirst,
    _ perform: nonisolated(nonsending) (Character) async throws -> Void
  ) async rethrows {
    var player = MarblePlayer(marbles, on: self, ties: ties)
    while let marks = player.next() {
      for mark in marks { try await perform(mark) }
      player.endStep()
      await settle()
      runReady()
    }
  }

  /// Plays a timeline into a stream: each mark is an element, `|` ends it.
  ///
  /// ```swift
  /// let (keys, input) = AsyncStream.makeStream(of: Character.self)
  /// clock.play("a-b--|", into: input)
  /// ```
  ///
  /// - Parameters:
  ///   - marbles: The timeline.
  ///   - ties: What comes first where a mark and a timer fall on the same instant.
  ///   - input: The stream's other side.
  /// - Precondition: no mark is `#`; such a stream does not fail.
  public func play(
    _ marbles: Marbles, ties: Ties = .timersFirst, into input: AsyncStream<Character>.Continuation
  ) {
    play(marbles, ties: ties) { mark in
      ConfigurationError.require(mark != "#", "marbles", marbles, must: "have no #")
      if mark == "|" { input.finish() } else { input.yield(mark) }
    }
  }

  /// Plays a timeline into a stream that can fail: each mark is an element, `|` ends it, `#` lets
  /// it fail with a `MarbleFailure`.
  ///
  /// - Parameters:
  ///   - marbles: The timeline.
  ///   - ties: What comes first where a mark and a timer fall on the same instant.
  ///   - input: The stream's other side.
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
