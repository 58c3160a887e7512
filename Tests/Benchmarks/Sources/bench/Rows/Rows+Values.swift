import Dispatch
import Pacing

extension Rows {
  /// A debouncer that is kept from delivering, beside what programs do that have none.
  static var values: [Row] {
    let debouncer = Debouncer<Int>(for: .seconds(86_400)) { consume($0) }
    debouncer.send(-1)
    let limited = Debouncer<Int>(for: .seconds(86_400), maximumWait: .seconds(172_800)) {
      consume($0)
    }
    let idle = Debouncer<Int>(for: .seconds(86_400)) { consume($0) }
    let throttler = Throttler<Int>(every: .seconds(86_400)) { consume($0) }
    throttler.send(-1)
    return [
      Row("Debouncer.send", count: 20_000) { count in
        for number in 0..<count { debouncer.send(number) }
        precondition(debouncer.pending == count - 1)
      },
      Row("Debouncer.send with maximum wait", count: 20_000) { count in
        for number in 0..<count { limited.send(number) }
        precondition(limited.pending == count - 1)
      },
      Row("Debouncer.isPending", count: 20_000) { count in
        for _ in 0..<count { precondition(debouncer.isPending) }
      },
      Row("Debouncer send + cancel", count: 10_000) { count in
        for number in 0..<count {
          idle.send(number)
          consume(idle.cancel())
        }
      },
      Row("Throttler.send", count: 20_000) { count in
        for number in 0..<count { throttler.send(number) }
        precondition(throttler.pending == count - 1)
      },
      workItems, tasks,
    ]
  }

  /// Each item stays in memory until its deadline, so that is a near one.
  private static var workItems: Row {
    let queue = DispatchQueue(label: "work items")
    var item = DispatchWorkItem {}
    return Row("DispatchWorkItem cancel + reschedule", count: 500) { count in
      for number in 0..<count {
        item.cancel()
        item = DispatchWorkItem { consume(number) }
        queue.asyncAfter(deadline: .now() + .milliseconds(300), execute: item)
      }
    }
  }

  private static var tasks: Row {
    var task = Task<Void, Never> {}
    return Row("Task.sleep cancel + new Task", count: 500) { count in
      for number in 0..<count {
        task.cancel()
        task = Task {
          do { try await Task.sleep(nanoseconds: 300_000_000) } catch { return }
          consume(number)
        }
      }
    }
  }
}
