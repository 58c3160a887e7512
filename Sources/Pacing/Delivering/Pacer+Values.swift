extension Pacer {
  /// Whether a value will still be delivered.
  func isPending<Timing, Value>() -> Bool where State == Holding<Timing, Value> {
    isPending { $0.timing.isPending }
  }

  /// The newest value that will still be delivered.
  func pending<Timing, Value>() -> Value? where State == Holding<Timing, Value> {
    readUndelivered { state, decided in state.pending ?? decided }
  }

  /// How long until a value is due, nil where none is waited for.
  func timeRemaining<Timing, Value>() -> Duration? where State == Holding<Timing, Value> {
    let deadline = read { $0.timing.isPending ? $0.deadline : nil }
    return deadline.map { Duration(nanoseconds: max(0, $0 - service.now)) }
  }

  /// Takes a value.
  @inline(__always)
  func send<Timing, Value>(_ value: Value) where State == Holding<Timing, Value> {
    var value = value
    update { $0.send(&value, at: $1) }
    // Here, outside the lock, `value` is what was displaced.
  }

  /// Decides the pending value now; false where there is none.
  func flush<Timing, Value>() -> Bool where State == Holding<Timing, Value> {
    update { $0.flush(at: $1) }
  }

  /// Flushes, and waits until the handler of all that was due has ended.
  func flushAndWait<Timing, Value>() async -> Bool where State == Holding<Timing, Value> {
    let flushed = flush()
    await waitForDeliveries()
    return flushed
  }

  /// Cancels, and waits until a handler that was running has ended.
  func cancelAndWait<Timing, Value>() async -> Value? where State == Holding<Timing, Value> {
    let withdrawn = withdraw().last
    await waitForHandler()
    return withdrawn
  }

  /// Takes no more values, and ends the streams when the last one has been delivered.
  func finish<Timing, Value>(_ finish: Finish) where State == Holding<Timing, Value> {
    _ = update { $0.finish(finish, at: $1) }
  }
}
