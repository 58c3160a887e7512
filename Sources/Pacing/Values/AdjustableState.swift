/// The state of a tool with settings that may change while it runs.
protocol AdjustableState: PacedState {
  associatedtype Timing: ValueTiming

  /// The timing, whose settings count for the values that are sent from now on.
  var timing: Timing { get set }

  /// Whether values are taken.
  var isEnabled: Bool { get set }
}

/// The timing of a tool with edges.
protocol EdgedTiming: ValueTiming {
  var edges: Edges { get set }
}

extension Pacer where State: AdjustableState {
  /// How long a value waits, or how long its window is.
  var wait: Duration {
    get { Duration(nanoseconds: read { $0.timing.wait }) }
    set {
      let wait = Nanoseconds(wait: newValue)
      adjust { $0.timing.wait = wait }
    }
  }

  var isEnabled: Bool {
    get { read { $0.isEnabled } }
    set { adjust { $0.isEnabled = newValue } }
  }

  /// Changes a setting, after what is due by now.
  func adjust(_ change: (inout State) -> Void) {
    update { state, _ in change(&state) }
  }
}

extension Pacer where State: AdjustableState, State.Timing: EdgedTiming {
  var edges: Edges {
    get { read { $0.timing.edges } }
    set { adjust { $0.timing.edges = newValue } }
  }
}
