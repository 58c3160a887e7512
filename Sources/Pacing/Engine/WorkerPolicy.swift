/// How many threads run the work for `.shared`: a pure value, no lock, no clock, no thread.
///
/// Up to `width` threads run side by side. Beyond that a thread is called only for work that is
/// held up, as looks find out, or that a score of completed lengths expects to be. The rules are
/// explained in `Documentation/Decisions/shared-workers.md`.
///
/// Invariant: while a piece waits, a thread is on its way, or a look is due, or every thread there
/// may be is busy and takes the piece when it ends, or a crowd is held.
package struct WorkerPolicy: Hashable {
  /// What a call owes once the lock is free.
  package struct Step: Equatable {
    /// How many threads are to be called; each of them `arrived` later, or `failed`.
    package var calls: Int
    /// A look is due after the interval.
    package var mustLook: Bool

    package init(calls: Int = 0, mustLook: Bool = false) {
      self.calls = calls
      self.mustLook = mustLook
    }
  }

  /// How long a piece waits before the look that notices it, at the most twice.
  package static var interval: Nanoseconds { 1_000_000 }
  /// A piece that took as long as this may have blocked its thread.
  private static var long: Nanoseconds { 200_000 }
  /// A piece that took less costs less than the wake of another thread.
  private static var short: Nanoseconds { 20_000 }
  private static var scores: ClosedRange<Int> { -8...16 }
  /// The score above which a thread is called for each piece that would wait.
  private static var eagerness: Int { 8 }
  /// After how many looks in a row a line that moves too slowly gets a thread.
  private static var looksOfPatience: Int { 8 }

  /// How many threads run at the same time while none of them blocks.
  package let width: Int
  /// How many threads there are at the most.
  package let limit: Int

  package private(set) var waiting = 0
  /// How many threads run a piece.
  package private(set) var busy = 0
  /// How many threads were called and have not arrived.
  package private(set) var called = 0
  package private(set) var isLooking = false
  /// How many crowds are being added.
  package private(set) var holds = 0
  private var score = 0
  /// How many pieces were taken so far, and as of the last look.
  private var taken = 0
  private var takenAtLook = 0
  /// How many pieces had come by the last look.
  private var comeAtLook = 0
  /// How many looks in a row found a piece that the look before had seen.
  private var lateLooks = 0

  /// `width` is positive; a lower `limit` counts as `width`.
  package init(width: Int, limit: Int) {
    self.width = width
    self.limit = max(width, limit)
  }

  private var isEager: Bool { score > Self.eagerness }
  /// How many threads are on their way at a time: each look at a line that is late doubles it.
  private var callsAtOnce: Int { 4 << (isEager ? min(lateLooks, 5) : 0) }

  /// A piece has come, and waits.
  package mutating func added() -> Step {
    waiting += 1
    return holds > 0 ? Step() : callOne()
  }

  /// A crowd begins to come: no thread is called for it before `released()`.
  package mutating func held() {
    holds += 1
  }

  /// The crowd is in the line.
  package mutating func released() -> Step {
    holds -= 1
    return holds > 0 ? Step() : callOne()
  }

  /// A thread that was called is there, and takes a piece unless the others have left it none.
  package mutating func arrived() -> (takes: Bool, step: Step) {
    called -= 1
    return take(calling: 2)
  }

  /// A thread could not be made.
  package mutating func failed() -> Step {
    called -= 1
    return staff(0)
  }

  /// A thread has ended its piece, which took `length`, and takes another one if there is one.
  package mutating func ended(after length: Nanoseconds) -> (takes: Bool, step: Step) {
    busy -= 1
    rate(length)
    return take(calling: 1)
  }

  /// The look that was due.
  package mutating func looked() -> Step {
    isLooking = false
    lateLooks = taken < comeAtLook ? lateLooks + 1 : 0
    let isLate = lateLooks > 0
    let isBlocked = isLate && (score > 0 || taken - takenAtLook < busy)
    if isBlocked { score = Self.scores.upperBound }
    let isSlow = isLate && (busy < width || lateLooks.isMultiple(of: Self.looksOfPatience))
    return staff(isBlocked ? callsAtOnce : isSlow ? 1 : 0, looksAgain: true)
  }

  private mutating func callOne() -> Step {
    staff(isEager || called == 0 && busy < width ? 1 : 0)
  }

  private mutating func take(calling wanted: Int) -> (takes: Bool, step: Step) {
    guard waiting > 0 else { return (false, Step()) }
    waiting -= 1
    taken += 1
    busy += 1
    // A line of short pieces is left to this thread; the look notices if one of them is not short.
    return (true, staff(isEager ? wanted : score >= 0 ? min(wanted, width - busy - called) : 0))
  }

  /// Calls threads, as many as are wanted, needed and allowed, and sees to the invariant.
  private mutating func staff(_ wanted: Int, looksAgain: Bool = false) -> Step {
    let allowed = min(callsAtOnce - called, limit - busy - called)
    let calls = max(0, min(wanted, waiting - called, allowed))
    called += calls
    let needsLook = waiting > 0 && busy < limit && (called == 0 || looksAgain)
    guard needsLook, !isLooking else { return Step(calls: calls) }
    isLooking = true
    takenAtLook = taken
    comeAtLook = taken + waiting
    return Step(calls: calls, mustLook: true)
  }

  private mutating func rate(_ length: Nanoseconds) {
    let change = length >= Self.long ? 4 : length < Self.short ? -1 : -score.signum()
    score = min(max(score + change, Self.scores.lowerBound), Self.scores.upperBound)
  }
}
