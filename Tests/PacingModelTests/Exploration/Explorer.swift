/// A few threads whose atomic steps the explorer takes in every order.
///
/// A model is a value, so a state is kept by copying it. Its steps call the same pure states that
/// the library's locks guard, and do in the model's world what the library does between its locks.
protocol Explorable {
  associatedtype Fingerprint: Hashable

  /// Everything that decides how the threads go on. Two models that are equal in it are one state.
  var fingerprint: Fingerprint { get }

  /// The threads that can take a step, or the choices that there are.
  var ready: [Int] { get }

  /// Takes the next step of a thread, and returns what it was.
  mutating func step(_ thread: Int) -> StaticString

  /// What is wrong in this state, whatever comes next.
  var violation: String? { get }

  /// What is wrong if no thread can take a step any more: a wake-up that was lost.
  var violationAtEnd: String? { get }
}

/// Explores every interleaving of a model's threads.
///
/// A depth-first search that remembers the states it has been in. Whatever leads to a state, what
/// may follow is the same, so each state is explored once, and the number of schedules through it
/// is known without playing each of them.
struct Explorer<Model: Explorable> {
  /// A schedule that leads to a violation.
  struct Failure: CustomStringConvertible {
    let violation: String
    let steps: [(thread: Int, name: StaticString)]

    var description: String {
      "\(violation), after " + steps.map { "\($0.thread): \($0.name)" }.joined(separator: ", ")
    }
  }

  /// Whether states are remembered; without that, every schedule is played.
  let remembers: Bool
  /// The number of states, or of schedules' ends, at which the search gives up.
  let bound: Int

  private(set) var states = 0
  private(set) var steps = 0
  /// The number of schedules; `Int.max` stands for that many or more.
  private(set) var schedules = 0
  private(set) var failure: Failure?
  /// Whether everything there is was explored.
  var isExhaustive: Bool { failure == nil && states < bound }

  private var known = [Model.Fingerprint: Int]()
  private var path = [(thread: Int, name: StaticString)]()

  init(_ model: Model, remembers: Bool = true, bound: Int = 20_000_000) {
    self.remembers = remembers
    self.bound = bound
    schedules = explore(model)
  }

  /// The number of schedules from a state on.
  private mutating func explore(_ model: Model) -> Int {
    let fingerprint = model.fingerprint
    if remembers, let count = known[fingerprint] {
      if count == 0 { fail("the threads go round in a circle") }
      return count
    }
    states += 1
    if let violation = model.violation { fail(violation) }
    let ready = model.ready
    if ready.isEmpty, let violation = model.violationAtEnd { fail(violation) }
    guard failure == nil, states < bound else { return 1 }
    // Zero while the state is on the path.
    if remembers { known[fingerprint] = 0 }
    var count = ready.isEmpty ? 1 : 0
    for thread in ready {
      var next = model
      path.append((thread, next.step(thread)))
      steps += 1
      let (sum, overflow) = count.addingReportingOverflow(explore(next))
      count = overflow ? .max : sum
      path.removeLast()
      guard failure == nil else { return count }
    }
    if remembers { known[fingerprint] = count }
    return count
  }

  private mutating func fail(_ violation: String) {
    if failure == nil { failure = Failure(violation: violation, steps: path) }
  }
}

extension Explorer: CustomStringConvertible {
  var description: String {
    let found = failure.map { ", \($0)" } ?? ""
    return "\(Model.self): \(schedules) schedules, \(states) states, \(steps) steps\(found)"
  }
}
