import Testing

@Suite("Explorer")
struct ExplorerTests {
  /// Threads that add to one number, each by reading it and then writing it, or in one step.
  private struct Additions: Explorable {
    let isAtomic: Bool
    var number = 0
    /// What each thread has read, and how many of its steps it has taken.
    var threads: [[Int]]

    init(threads: Int, isAtomic: Bool) {
      self.isAtomic = isAtomic
      self.threads = Array(repeating: [], count: threads)
    }

    var fingerprint: [[Int]] { [[number]] + threads }

    var ready: [Int] { threads.indices.filter { threads[$0].count < 2 } }

    mutating func step(_ thread: Int) -> StaticString {
      guard let read = threads[thread].first else {
        if isAtomic { number += 1 }
        threads[thread].append(number)
        return "read"
      }
      if !isAtomic { number = read + 1 }
      threads[thread].append(0)
      return "write"
    }

    var violation: String? { nil }
    var violationAtEnd: String? { number == threads.count ? nil : "\(number) is left" }
  }

  /// One thread that goes back and forth.
  private struct Circle: Explorable {
    var fingerprint = 0
    let ready = [0]
    let violation: String? = nil
    let violationAtEnd: String? = nil

    mutating func step(_ thread: Int) -> StaticString {
      fingerprint = 1 - fingerprint
      return "turn"
    }
  }

  @Test(
    "counts the schedules that it would play: (2 n)! / 2^n of n threads with two steps each",
    arguments: [(1, 1), (2, 6), (3, 90), (4, 2520)])
  func counts(threads: Int, schedules: Int) {
    let model = Additions(threads: threads, isAtomic: true)
    let remembered = Explorer(model)
    let played = Explorer(model, remembers: false)
    #expect(remembered.schedules == schedules && remembered.isExhaustive)
    #expect(played.schedules == schedules && played.isExhaustive)
    #expect(remembered.states <= played.states)
  }

  @Test("finds an addition that is lost, and tells the schedule", arguments: [true, false])
  func lostAddition(remembers: Bool) throws {
    let explorer = Explorer(Additions(threads: 2, isAtomic: false), remembers: remembers)
    let failure = try #require(explorer.failure)
    #expect(failure.description == "1 is left, after 0: read, 1: read, 0: write, 1: write")
    #expect(!explorer.isExhaustive)
  }

  @Test("tells threads that go on for ever")
  func circle() {
    #expect(Explorer(Circle()).failure?.violation == "the threads go round in a circle")
  }

  @Test("says that it gave up at its bound")
  func bound() {
    #expect(!Explorer(Additions(threads: 3, isAtomic: true), bound: 10).isExhaustive)
  }
}
