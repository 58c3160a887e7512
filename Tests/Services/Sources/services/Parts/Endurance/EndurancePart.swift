import Foundation
import Pacing

/// A server that is terminated, killed and stopped, and whose wall clock is set, while clients call
/// it: its limits hold, and no write that it has accepted is lost, but for the last before a kill.
enum EndurancePart {
  private enum Attack: CaseIterable { case terminate, kill, stop, setClock }

  /// Random numbers, the same for the same seed: xorshift64*.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state >> 12
      state ^= state << 25
      state ^= state >> 27
      return state &* 2_685_821_657_736_338_717
    }
  }

  static func run(for length: Duration) async throws {
    let given = ProcessInfo.processInfo.environment["PACING_SEED"].flatMap { UInt64($0) }
    let seed = given ?? .random(in: 1...999_999)
    print("endurance: PACING_SEED=\(seed)")
    // Printed even if this process traps.
    fflush(nil)
    let clients = EnduranceClients()
    let server = try ServerProcess()
    defer { server.remove() }
    clients.move(to: try await server.start())
    let end = DispatchClock().now.advanced(by: length)
    try await withThrowingTaskGroup { tasks in
      for task in 0..<16 {
        let user = EnduranceClients.users[task % EnduranceClients.users.count]
        tasks.addTask { await clients.write(as: user, until: end) }
      }
      try await attack(server, of: clients, until: end, Generator(state: seed))
      try await tasks.waitForAll()
    }
    try await clients.writeAlone()
    try await server.end(by: SIGTERM)
    try check(server.runs, clients.tally)
  }

  /// Attacks in rounds of all kinds, in random order, at random times.
  private static func attack(
    _ server: ServerProcess, of clients: EnduranceClients, until end: PacingInstant,
    _ generator: Generator
  ) async throws {
    let clock = DispatchClock()
    let attacks = Attack.allCases.filter { $0 != .setClock || server.hasClock }
    var (generator, offset) = (generator, 0)
    while clock.now < end {
      for attack in attacks.shuffled(using: &generator) {
        try await clock.sleep(for: .milliseconds(Int.random(in: 100...1500, using: &generator)))
        switch attack {
        case .terminate, .kill:
          try await server.end(by: attack == .kill ? SIGKILL : SIGTERM)
          clients.move(to: try await server.start())
        case .stop:
          let time = Duration.milliseconds(Int.random(in: 100...3000, using: &generator))
          try await server.stop(for: time)
        case .setClock:
          offset = Int.random(in: 100...100_000, using: &generator) * (offset < 0 ? 1 : -1)
          try server.setClock(to: offset)
        }
        try await server.polls(withClockAt: offset)
      }
    }
  }

  private static func check(_ runs: [ServerProcess.Run], _ tally: EnduranceClients.Tally) throws {
    var (accepted, lost) = (Set<String>(), 0)
    for run in runs {
      let (writes, unwritten) = try run.checkWrites()
      try demand(accepted.isDisjoint(with: writes), "accepted by two runs")
      let unheard = run.wasKilled ? [] : writes.intersection(tally.broken)
      try demand(unheard.isEmpty, "accepted, and not answered: \(unheard)")
      accepted.formUnion(writes)
      lost += unwritten
      try run.checkLimits()
    }
    let strays = tally.answered.subtracting(accepted)
    try demand(strays.isEmpty, "answered, and not accepted: \(strays)")
    try demand(tally.faults.isEmpty, tally.faults.prefix(5).joined(separator: ", "))
    let killed = runs.count { $0.wasKilled }
    let counts = tally.counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    print(
      """
      endurance: \(runs.count - killed) runs drained, \(killed) killed
      endurance: \(accepted.count) writes accepted, \(lost) of them lost by kills
      endurance: \(tally.calls) calls; \(counts.joined(separator: ", "))
      """)
  }
}

extension ServerProcess.Run {
  private func named(_ kind: String) -> [Note] { notes.filter { $0.kind == kind } }

  fileprivate func checkLimits() throws {
    for (user, grants) in Dictionary(grouping: named("user"), by: { $0.name }) {
      try EnduranceServer.user.check(grants, of: user)
    }
    try EnduranceServer.everyone.check(named("everyone"), of: "everyone")
    // One poll may be late, and one is added when the clock is set, twice in a run at most.
    try Bound(perSecond: 10, burst: 4).check(named("poll"), of: "polls")
    let works = named("accepted")
    for work in works {
      let count = works.count { $0.begin <= work.begin && work.begin < $0.end }
      try demand(count <= EnduranceServer.permits, "\(count) writes at the same time")
    }
    let held = named("held").map { $0.name }
    try demand(wasKilled || held == ["0"], "permits held at the end: \(held)")
  }

  /// Returns what the run has accepted, and how much of that it has lost: nothing, if it drained.
  ///
  /// A killed one has written what is older than the delay and ten polls: time that the server has
  /// seen itself, which stands still while it is stopped or starved.
  fileprivate func checkWrites() throws -> (accepted: Set<String>, lost: Int) {
    let works = named("accepted")
    let (accepted, kept) = (Set(works.map { $0.name }), named("kept").map { $0.name })
    try demand(accepted.count == works.count, "accepted twice")
    try demand(Set(kept).count == kept.count, "written twice")
    try demand(accepted.isSuperset(of: kept), "written, and not accepted")
    let polled = named("poll").dropLast(10).last?.begin ?? 0
    let due = wasKilled ? polled - Int(EnduranceServer.delay / .nanoseconds(1)) : .max
    let settled = works.filter { $0.end < due }.map { $0.name }
    let missing = Set(settled).subtracting(kept)
    try demand(missing.isEmpty, "accepted, and not written: \(missing)")
    let saved = named("saved").last.flatMap { Int($0.name) } ?? 0
    try demand(saved >= settled.count, "\(saved) of \(settled.count) writes counted")
    return (accepted, accepted.count - kept.count)
  }
}
