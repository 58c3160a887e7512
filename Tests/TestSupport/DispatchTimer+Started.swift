package import Pacing

extension DispatchTimer {
  /// The timer, started.
  package func started() -> DispatchTimer {
    start()
    return self
  }
}
