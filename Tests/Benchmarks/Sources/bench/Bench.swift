import Foundation

/// Measures the library beside its peers, and says which of its goals it meets.
///
/// usage: bench [<part of a name> …] [--rounds <n>] [--smoke]
///
/// With parts of names it measures the rows that have one of them. `--smoke` runs every row once,
/// to see that it works; the times say nothing then.
@main
struct Bench {
  static func main() async {
    // Not on the main actor: each hop to it would be measured as well.
    await Task.detached { await run() }.value
  }

  private static func run() async {
    let options: Options
    do {
      options = try Options(CommandLine.arguments.dropFirst())
    } catch {
      FileHandle.standardError.write(Data("bench: \(error.description)\n".utf8))
      exit(64)
    }
    var meter = Meter(Rows.all.filter(options.includes), effort: options.effort)
    await meter.run()
    let report = Report(meter.results, goals: Goal.all, ratios: Ratio.all)
    print(report.text, terminator: "")
  }
}
