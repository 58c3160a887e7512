import Foundation

// usage: contend worker <words>
//        contend run [--quiet-machine] [--clock <library>] [--pace <program>] <server program>
//                    [part …]
//        contend figures <server program>
//        contend lease
//
// `run` prints "ok" or what it found for each part, and "contend: N passed, N failed"; `figures`
// prints what calls cost, for the benchmarks: lines of a name, a value and a unit; `lease` what a
// decision from a lease costs.

/// Writes a line at once.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

func run(_ words: [String]) async throws -> Int32 {
  var words = words
  let isQuiet = words.first == "--quiet-machine"
  if isQuiet { words.removeFirst() }
  func value(_ option: String) -> String? {
    guard words.first == option, words.count > 1 else { return nil }
    defer { words.removeFirst(2) }
    return words[1]
  }
  let (clock, pace) = (value("--clock"), value("--pace"))
  guard let program = words.first else { return 64 }
  let wanted = Set(words.dropFirst())
  let parts = Parts(program: program, isQuiet: isQuiet, clock: clock, pace: pace)
  var passed = 0
  var failed = 0
  for (name, part) in Parts.all where wanted.isEmpty || wanted.contains(name) {
    var problem: String?
    let start = ContinuousClock.now
    do { problem = try await part(parts) } catch { problem = "\(error)" }
    if let problem {
      failed += 1
      say("FAILED \(name): \(problem)")
    } else {
      passed += 1
      say("ok \(name) (\(ContinuousClock.now - start))")
    }
  }
  say("contend: \(passed) passed, \(failed) failed")
  return failed == 0 && passed > 0 ? 0 : 1
}

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "worker":
  guard let worker = Worker(Array(words.dropFirst())) else { exit(64) }
  say(await Task.detached { await worker.run() }.value.text)
case "run":
  exit(try await Task.detached { try await run(Array(words.dropFirst())) }.value)
case "lease":
  let parts = Parts(program: "", isQuiet: true, clock: nil, pace: nil)
  say("\(await Task.detached { await parts.leasedDecision() }.value) ns")
case "figures" where words.count == 2:
  let parts = Parts(program: words[1], isQuiet: true, clock: nil, pace: nil)
  try await Task.detached { try await parts.figures() }.value.forEach(say)
default:
  exit(64)
}
