// Prints the arrows between the folders below a root; fails if folders form a circle, or if one has
// more than 25 files. Compiled by .ci/lint with Checker/FolderGraph.swift.
import Foundation

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
exit(graph.circles.isEmpty && large.isEmpty ? 0 : 1)
