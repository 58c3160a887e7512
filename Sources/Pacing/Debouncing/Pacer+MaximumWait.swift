extension Pacer where State: AdjustableState, State.Timing == DebounceState {
  /// The longest a value waits; nil for no limit.
  var maximumWait: Duration? {
    get {
      let wait = read { $0.timing.maximumWait }
      return wait == .never ? nil : Duration(nanoseconds: wait)
    }
    set {
      let wait = newValue.map(Nanoseconds.init(wait:)) ?? .never
      adjust { $0.timing.maximumWait = wait }
    }
  }
}
