/// The state of a tool that takes values and can be disabled or suspended.
protocol ControllableState: PacedState {
  /// Whether values are taken.
  var isEnabled: Bool { get set }

  /// Whether values are taken and merged, but not decided at a deadline.
  var isSuspended: Bool { get set }
}

extension ControllableState {
  /// Whether what is due waits for `resume()`: not if it was flushed or the tool is finishing.
  @inline(__always)
  func isHeld(isFlushed: Bool = false) -> Bool { isSuspended && !isFlushed && !outlivesItsTool }
}

/// The state of a tool whose settings can change at run time.
protocol AdjustableState: ControllableState {
  associatedtype Timing: ValueTiming

  /// The timing; its settings apply to values sent from now on.
  var timing: Timing { get set }
}

/// The timing of a tool with edges.
protocol EdgedTiming: ValueTiming {
  var edges: Edges { get set }
}

extension Pacer where State: ControllableState {
  var isEnabled: Bool {
    get { read { $0.isEnabled } }
    set {
      let wasEnabled = update { state, _ in
        defer { state.isEnabled = newValue }
        return state.isEnabled
      }
      guard wasEnabled, !newValue else { return }
      forEachPart { part in
        drop(.disabled) { state in state.isEnabled ? [] : state.cancelAll(part: part) }
      }
    }
  }

  var isSuspended: Bool {
    get { read { $0.isSuspended } }
    set {
      adjust { $0.isSuspended = newValue }
      // What was parked may be a lot.
      if !newValue { decideAll() }
    }
  }

  /// Changes a setting after deciding what is due by now.
  func adjust(_ change: (inout State) -> Void) {
    update { state, _ in change(&state) }
  }
}

extension Pacer where State: AdjustableState {
  /// How long a value waits, or the length of its window.
  var wait: Duration {
    get { Duration(nanoseconds: read { $0.timing.wait }) }
    set {
      let wait = Nanoseconds(wait: newValue)
      adjust { $0.timing.wait = wait }
    }
  }
}

extension Pacer where State: AdjustableState, State.Timing: EdgedTiming {
  var edges: Edges {
    get { read { $0.timing.edges } }
    set { adjust { $0.timing.edges = newValue } }
  }
}
