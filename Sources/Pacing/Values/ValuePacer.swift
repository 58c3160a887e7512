/// A pacer, with any timing, and the verbs of a tool that takes values.
///
/// Each timing has a small non-generic type that conforms, so the compiler specialises the verbs
/// for it. Verbs of the generic class `Pacer` would be compiled once for all timings, and request
/// their types from the runtime at every call.
protocol ValuePacer<Value>: PacerOwner where State: ValueKeeping {
  associatedtype Value where State.Output == Value

  func flush() -> Bool
  func flushAndWait() async -> Bool
  func cancel() -> Value?
  func finish(_ finish: Finish?)
  var isPending: Bool { get }
  var pending: Value? { get }
  var timeRemaining: Duration? { get }
  var statistics: DeliveryStatistics { get }
}

extension ValuePacer {
  func flush() -> Bool { pacer.update { $0.flush(at: $1) } }

  func flushAndWait() async -> Bool { await pacer.flushAndWait { $0.flush(at: $1) } }

  func cancel() -> Value? { pacer.withdraw() }

  func finish(_ finish: Finish?) {
    let finish = finish ?? State.Timing.usualFinish
    if let dropped = pacer.update({ $0.finish(finish, at: $1) }) {
      pacer.report(dropped, .finished)
    }
  }

  var isPending: Bool { pacer.isPending { $0.timing.isPending } }

  var pending: Value? { pacer.read { state, decided in state.pending ?? decided.last?.output } }

  var timeRemaining: Duration? {
    pacer.read { $0.timing.isPending ? $0.timing.deadline : .distantFuture }
      .wait(from: pacer.service.now)
  }

  var statistics: DeliveryStatistics {
    pacer.read { state, decided in
      var statistics = state.statistics
      statistics.pending = decided.count + (state.timing.isPending ? 1 : 0)
      return statistics
    }
  }
}
