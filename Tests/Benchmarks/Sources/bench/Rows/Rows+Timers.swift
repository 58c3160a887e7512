import Dispatch
import Pacing

extension Rows {
  static var timers: [Row] {
    let timer = DispatchTimer(.every(.seconds(86_400))) { consume($0.index) }
    timer.start()
    timer.suspend()
    return [
      Row("DispatchTimer resume + suspend", count: 20_000) { count in
        for _ in 0..<count {
          precondition(timer.resume())
          precondition(timer.suspend())
        }
      },
      Row("DispatchTimer make + start + cancel", count: 10_000) { count in
        for _ in 0..<count {
          precondition(DispatchTimer.scheduled(after: .seconds(86_400)) {}.cancel())
        }
      },
      source, sourceSchedule, sleep,
    ] + timeouts
  }

  /// A bounded operation that does not suspend, and what is written without `withTimeout`.
  private static var timeouts: [Row] {
    [
      Row("withTimeout", count: 2_000) { count in
        for number in 0..<count {
          consume(try? await withTimeout(.seconds(86_400)) { number })
        }
      },
      Row("task group with Task.sleep", count: 2_000) { count in
        for number in 0..<count {
          await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { number }
            group.addTask {
              try await Task.sleep(nanoseconds: 300_000_000)
              return -1
            }
            consume(try? await group.next())
            group.cancelAll()
          }
        }
      },
    ]
  }

  private static var source: Row {
    let queue = DispatchQueue(label: "sources")
    return Row("DispatchSourceTimer make + arm + cancel", count: 500) { count in
      for _ in 0..<count {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler {}
        source.schedule(deadline: .now() + .seconds(86_400))
        source.activate()
        source.cancel()
      }
    }
  }

  private static var sourceSchedule: Row {
    let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "source"))
    source.setEventHandler {}
    source.schedule(deadline: .now() + .seconds(86_400))
    source.activate()
    return Row("DispatchSourceTimer schedule again", count: 500) { count in
      for number in 0..<count {
        source.schedule(deadline: .now() + .seconds(86_400 + number))
      }
    }
  }

  private static var sleep: Row {
    Row("Task.sleep + cancel", count: 300) { count in
      for _ in 0..<count {
        let task = Task { try? await Task.sleep(nanoseconds: 300_000_000) }
        task.cancel()
        await task.value
      }
    }
  }
}
