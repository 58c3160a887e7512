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
