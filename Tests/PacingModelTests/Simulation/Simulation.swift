import Pacing
import PacingTesting
import TestSupport

/// Many tools of all kinds on one manual clock, under random calls, late timers and clock jumps;
/// after every step each affected tool is compared with its oracle.
///
/// All randomness comes from the seed, and only one thread runs at a time, so runs with the same
/// seed are identical.
final class Simulation {
  /// A difference, with the information to reproduce it.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let scene = Scene()
  private let seed: UInt64
  private var random: SplitMix64
  private var subjects = [Subject]()
  private var calls = [Int]()
  /// The oracles' next deadlines, so that a clock move visits only those affected.
  private var dueTimes = [Int]()
  private var busy = [0]
  private(set) var made = 0

  init(seed: UInt64, tools: Int) {
    self.seed = seed
    random = SplitMix64(seed: seed)
    subjects = (0..<tools).map { _ in makeSubject() }
    calls = Array(repeating: 0, count: tools)
    dueTimes = subjects.map { $0.dueTime ?? .max }
  }

  private func makeSubject() -> Subject {
    made += 1
    switch Int.random(in: 0..<25, using: &random) {
    case 0..<4: return ValueSubject(scene, &random)
    case 4, 5: return KeyedSubject(scene, &random)
    case 6..<10: return AsyncSubject(scene, &random)
    case 10: return EchoSubject(scene, &random)
    case 11, 12: return BatchSubject(scene, &random)
    case 13: return DelaySubject(scene, &random)
    case 14: return TimeoutSubject(scene, &random)
    case 15, 16: return TimerSubject(scene, &random)
    case 17: return RetrySubject(scene, &random)
    case 18: return PollSubject(scene, &random)
    case 19, 20: return BucketSubject(scene, &random)
    case 21: return WindowSubject(scene, &random)
    case 22: return KeyedLimiterSubject(scene, &random)
    case 23: return TickSubject(scene, &random)
    default: return TaskSubject(scene)
    }
  }

  /// Makes `steps` steps, and then releases all tools: nothing may be left.
  func run(steps: Int) throws(Failure) {
    for step in 0..<steps {
      let span = Int.random(in: 0..<1_000, using: &random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<20: try advance(by: span % 4, step)
      case 20 where span.isMultiple(of: 10): try advance(by: span, step)
      case 21..<25:
        // No timer runs; a called tool discovers what is due. Mostly short, so that bursts
        // continue.
        let isLong = span.isMultiple(of: 4)
        scene.clock.lapse(by: .milliseconds(isLong ? span / 4 % 40 : span % 4))
      default: try call(step)
      }
      guard scene.noted.value == scene.expected else {
        let subject = subjects.first { $0.difference() != nil }
        throw failure("\(subject, default: "A tool") was not concerned, and did something", step)
      }
    }
    for index in subjects.indices { try end(index, steps - 1) }
    guard scene.clock.pendingCount == 0 else {
      throw failure("\(scene.clock.pendingCount) timers are left", steps - 1)
    }
  }

  private func call(_ step: Int) throws(Failure) {
    // Calls a few subjects in quick succession for a while, to form bursts.
    if Int.random(in: 0..<150, using: &random) == 0 {
      busy = (0..<3).map { _ in Int.random(in: subjects.indices, using: &random) }
    }
    let isBurst = Int.random(in: 0..<8, using: &random) > 0
    let index = (isBurst ? busy : Array(subjects.indices)).randomElement(using: &random)!
    let subject = subjects[index]
    calls[index] += 1
    if calls[index] > 150 || subject.isOver, Int.random(in: 0..<20, using: &random) == 0 {
      try end(index, step)
      subjects[index] = makeSubject()
      calls[index] = 0
      dueTimes[index] = subjects[index].dueTime ?? .max
      return
    }
    let isRight = subject.call(&random)
    try check(index, step)
    if !isRight { throw failure("\(subject) gave another answer", step) }
    if !subject.isConsistent { throw failure("\(subject) is in another state", step) }
  }

  private func end(_ index: Int, _ step: Int) throws(Failure) {
    // Late deliveries still happen first: they were decided by then.
    let now = scene.clock.now.milliseconds
    if dueTimes[index] <= now { try advance(by: 0, step) }
    subjects[index].end()
    try check(index, step)
    while subjects[index].goOnAtEnd() { try check(index, step) }
  }

  private func advance(by span: Int, _ step: Int) throws(Failure) {
    let start = scene.clock.now.milliseconds
    let concerned = dueTimes.indices.filter { dueTimes[$0] <= start + span }
    scene.clock.advance(by: .milliseconds(span))
    for index in concerned {
      subjects[index].pass(from: start, to: start + span)
      try check(index, step)
    }
  }

  /// Runs what was decided, and compares.
  private func check(_ index: Int, _ step: Int) throws(Failure) {
    let subject = subjects[index]
    scene.clock.runReady()
    (subject as? AsyncSubject)?.arrive()
    if let difference = subject.difference() {
      throw failure("\(subject) has \(difference)", step)
    }
    dueTimes[index] = subject.dueTime ?? .max
  }

  private func failure(_ text: String, _ step: Int) -> Failure {
    Failure(
      description: """
        \(text), in step \(step) at \(scene.clock.now.milliseconds) ms; see it again with \
        PACING_SEED=\(seed) PACING_STEPS=\(step + 1) swift test --filter SimulationTests
        """)
  }
}
