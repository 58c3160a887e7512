internal import Pacing

extension EventRecorder {
  /// The events as a marble timeline, from the recorder's beginning to the present instant.
  ///
  /// ```swift
  /// #expect(searches.marbles { $0.last! } == "-------i--------t---")
  /// ```
  ///
  /// An event between two steps is drawn at the later one, so that nothing looks early. An event of
  /// a clock that was set back is drawn at the nearest step.
  ///
  /// - Parameter mark: The mark of a value.
  /// - Returns: A timeline whose first step is the instant at which recording began. Several events
  ///   in one step are a group.
  /// - Precondition: Less than a million steps have passed.
  public func marbles(_ mark: (Value) -> Character) -> Marbles {
    let (entries, origin, now) = extent
    let length = Nanoseconds(wait: step)
    func index(of instant: PacingInstant) -> Int {
      let (steps, rest) = (instant - origin).quotientAndRemainder(dividingBy: length)
      return max(0, Int(steps) + (rest > 0 ? 1 : 0))
    }
    let last = index(of: now)
    ConfigurationError.require(
      last < 1_000_000, "marbles", "\(last) steps", must: "be less than a million")
    var steps = [[Character]](repeating: [], count: last + 1)
    for entry in entries {
      let character: Character =
        switch entry.event {
        case .value(let value): mark(value)
        case .end: "|"
        case .failure: "#"
        }
      steps[min(last, index(of: entry.instant))].append(character)
    }
    return Marbles(steps.map { .marks($0) })
  }
}

extension EventRecorder where Value == Character {
  /// The events as a marble timeline, from the recorder's beginning to the present instant.
  public var marbles: Marbles { marbles { $0 } }
}
