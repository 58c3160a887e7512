import Foundation

/// Measures the library beside its peers, and says which of its goals it meets.
///
/// usage: bench [<part of a name> …] [--rounds <n>] [--smoke] [--programs <folder>] [--page <file>]
///
/// With parts of names it measures the rows that have one of them. `--smoke` runs every row once,
/// to see that it works; the times say nothing then. `--programs` measures, in the same rounds, the
/// programs in the folder; `--page` writes what was measured into the tables of a page. Both are
/// for `Tests/Benchmarks/peers/run`.
@main
struct Bench {
  static func main() async {
    // Not on the main actor: each hop to it would be measured as well.
    await Task.detached {
      do {
        try await run(Options(CommandLine.arguments.dropFirst()))
      } catch {
        FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
        exit(64)
      }
    }.value
  }

  private static func run(_ options: Options) async throws {
    var rows = Rows.all
    if let folder = options.programs { rows += try Program.all(in: folder).map { try $0.row() } }
    var meter = Meter(rows.filter(options.includes), effort: options.effort)
    await meter.run()
    let report = Report(meter.results, goals: Goal.all, ratios: Ratio.all)
    print(report.text, terminator: "")
    if let page = options.page { try Page(report, effort: options.effort).write(to: page) }
  }
}
