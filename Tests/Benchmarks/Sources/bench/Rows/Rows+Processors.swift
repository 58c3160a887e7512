extension Rows {
  /// What operations take of all processors, with what other threads do for them until nothing of
  /// it is left: a queue or a sleep that is given up is cheap for its caller only.
  static var processors: [Row] {
    let names = [
      "Debouncer.send", "Throttler.send", "DispatchWorkItem cancel + reschedule",
      "Task.sleep cancel + new Task", "DispatchTimer resume + suspend",
      "DispatchSourceTimer make + arm + cancel",
    ]
    return (values + timers).filter { names.contains($0.name) }.map { row in
      Row("\(row.name), processors", unit: "ns CPU", count: 50_000, turns: .few) { count in
        // Nothing is left of what was measured before, nor afterwards of what was given up here.
        await quiet()
        let start = Moment.processorTime
        _ = await row.measure(count)
        await quiet()
        return Moment.processorTime.since(start) / Double(count)
      }
    }
  }

  /// Lets deadlines pass that are 300 ms away.
  private static func quiet() async {
    try? await Task.sleep(for: .milliseconds(400))
  }
}
