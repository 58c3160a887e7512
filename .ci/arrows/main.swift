// Prints the arrows between the folders below a root; fails if folders form a circle, if an arrow
// points down the list of families, or if a folder has more than 25 files. Compiled by .ci/lint,
// with Checker/FolderGraph.swift.
import Foundation

/// The families: each may name types of those before it.
let families = [
  "Core", "Engine", "Streams", "Delivering", "Timers", "Values", "Debouncing", "Throttling",
  "Sampling", "Batching", "Timeouts", "RateLimiting", "Retrying", "Polling", "Operators",
]

func rank(_ folder: String) -> Int {
  families.firstIndex(of: String(folder.prefix { $0 != "/" })) ?? families.count
}

let root = CommandLine.arguments[1]
let paths = FileManager.default.enumerator(atPath: root)!.compactMap { $0 as? String }
  .filter { $0.hasSuffix(".swift") }
var sources: [String: String] = [:]
for path in paths { sources[path] = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }
let graph = FolderGraph(sources: sources)
graph.table.forEach { print($0) }
let large = graph.fileCounts.filter { $0.value > 25 }.sorted { $0.key < $1.key }
for arrow in graph.circles { print("\(root): on a circle of folders: \(arrow)") }
for (folder, count) in large { print("\(root)/\(folder): \(count) files; the most is 25") }
let downward = graph.arrows.flatMap { folder, arrows in
  arrows.filter { rank($0.key) > rank(folder) }.map { "\(folder) → \($0.key), by \($0.value)" }
}.sorted()
for arrow in downward { print("\(root): points down the list of families: \(arrow)") }
exit(graph.circles.isEmpty && large.isEmpty && downward.isEmpty ? 0 : 1)
