import Foundation
import Pacing

// usage: services [part …] [seconds]
//        services --measure
//
// `seconds` is the length of the part `endurance`, 12 unless specified otherwise.
//
// Prints "ok" or what it found for each part, and "parts: N passed, N failed".

let words = Array(CommandLine.arguments.dropFirst())
let length = Duration.seconds(words.last.flatMap { Int($0) } ?? 12)

let parts: [(name: String, run: @Sendable () async throws -> Void)] = [
  ("limit", LimitPart.oneUser), ("limit-users", LimitPart.fiftyUsers),
  ("limit-shared", LimitPart.shared), ("limit-away", LimitPart.away),
  ("hints", HintPart.spacing), ("hints-together", HintPart.together),
  ("hints-services", HintPart.services), ("urlsession", HintPart.session),
  ("shutdown", ShutdownPart.terminate), ("loop", LoopPart.lines),
  ("loop-blocked", LoopPart.blocked), ("loop-turns", LoopPart.turns),
  ("metrics", MetricsPart.limit), ("tracing", MetricsPart.tracing),
  ("feed", FeedPart.stream), ("feed-timer", FeedPart.timer), ("model", ClientPart.model),
  ("crawler", ClientPart.crawler),
  ("endurance", { [length] in try await EndurancePart.run(for: length) }),
]

switch words.first {
case "--measure": try await Measure.run()
case "--load": try await Measure.load(words[1])
case "--serve": try await EnduranceServer.run()
default: exit(await run(Set(words.filter { Int($0) == nil })) ? 0 : 1)
}

/// Runs the parts, all of them if none is named, and returns whether they passed.
func run(_ wanted: Set<String>) async -> Bool {
  var (passed, failed) = (0, 0)
  MetricsPart.bootstrap()
  for (name, part) in parts where wanted.isEmpty || wanted.contains(name) {
    let start = ContinuousClock.now
    do {
      try await withTimeout(.seconds(120) + length) { try await part() }
      passed += 1
      print("ok \(name) (\(ContinuousClock.now - start))")
    } catch {
      failed += 1
      print("FAILED \(name): \(error)")
    }
  }
  print("parts: \(passed) passed, \(failed) failed")
  return failed == 0 && passed > 0
}
