/// The settings of a tool that delivers the values sent to it.
package struct ValueSettings: Sendable {
  package enum Rule: Sendable {
    /// Once no other value follows for `wait`.
    case debounce
    /// At most once per window of `wait`.
    case throttle
    /// `wait` after the first value.
    case audit
    /// At `start + k * wait`.
    case sample(start: PacingInstant)
  }

  package let rule: Rule
  package var edges: Edges
  /// How long a value waits, or the length of its window, unless the value brings its own.
  package var wait: Nanoseconds
  /// The longest that a debounced value waits; `never` for no limit.
  package var maximumWait = Nanoseconds.never

  private init(
    _ rule: Rule, _ wait: Duration, maximumWait: Duration? = nil, edges: Edges = .trailing
  ) {
    self.rule = rule
    self.wait = Nanoseconds(wait: wait)
    self.edges = edges
    longestWait = maximumWait
  }

  package static func debounce(
    _ wait: Duration, maximumWait: Duration?, edges: Edges
  ) -> ValueSettings {
    ValueSettings(.debounce, wait, maximumWait: maximumWait, edges: edges)
  }

  package static func throttle(_ interval: Duration, edges: Edges) -> ValueSettings {
    ValueSettings(.throttle, interval, edges: edges)
  }

  package static func audit(_ window: Duration) -> ValueSettings { ValueSettings(.audit, window) }

  package static func sample(every period: Duration, start: PacingInstant) -> ValueSettings {
    ConfigurationError.require(period > .zero, "every", period, must: "be positive")
    return ValueSettings(.sample(start: start), period)
  }

  /// The maximum wait as users set it; nil for no limit.
  var longestWait: Duration? {
    get { maximumWait == .never ? nil : Duration.nanoseconds(maximumWait) }
    set { maximumWait = newValue.map(Nanoseconds.init(wait:)) ?? .never }
  }

  var usualFinish: Finish {
    switch rule {
    case .debounce: .atOnce
    case .throttle, .audit: .whenDue
    case .sample: .discard
    }
  }
}

/// When the pending value of a tool, or of a key, is due: a pure value that knows instants but no
/// values.
///
/// At most one value is pending. One that may be decided at once gets the present as its deadline,
/// so that leading and trailing values take the same path.
package struct ValueTiming: Sendable {
  /// When the pending value is due; `distantFuture` if there is none.
  package private(set) var deadline = PacingInstant.distantFuture
  /// The end of the quiet period or of the window; in the past if it ended with nothing pending.
  private var openUntil = PacingInstant.distantPast
  /// The latest deadline of a pending debounced value, however many values follow it.
  private var limit = PacingInstant.distantFuture
  /// The length of the window that the pending value opens when it is decided; of a debounced
  /// value, the quiet period that it starts then if it leads, or zero.
  private var opens: Nanoseconds = 0
  package private(set) var isPending = false

  package init() {}

  /// When the state, with nothing pending, is its initial one again if nothing is sent until then.
  @inline(__always)
  func idleAt(_ settings: ValueSettings) -> PacingInstant {
    switch settings.rule {
    // Without a leading edge it does not matter whether a burst is in progress.
    case .debounce: settings.edges.hasLeading ? openUntil : .distantPast
    case .throttle: openUntil
    case .audit, .sample: .distantPast
    }
  }

  /// Records a value, which waits for `wait`, or opens a window of that length; `isSuspended` if
  /// nothing is decided, however overdue.
  @inline(__always)
  package mutating func send(
    waiting wait: Nanoseconds, _ settings: ValueSettings, isSuspended: Bool = false,
    at now: PacingInstant
  ) -> SendResult {
    let wasPending = isPending
    switch settings.rule {
    case .debounce:
      let isTaken = debounce(wait, settings, isSuspended: isSuspended, at: now)
      guard isTaken else { return .dropped(.edge) }
    case .throttle:
      guard throttle(wait, settings.edges, at: now) else { return .dropped(.edge) }
    case .audit:
      if !isPending { deadline = now + wait }
    case .sample(let start):
      // A tick at this instant precedes the value, so the next one delivers it.
      if !isPending {
        deadline = start + wait.multiplied(by: ((now - start) / wait).adding(1))
      }
    }
    isPending = true
    return wasPending ? .merged : .kept
  }

  /// A burst begins with the first value after idle and lasts until `openUntil`, which each value
  /// moves.
  @inline(__always)
  private mutating func debounce(
    _ wait: Nanoseconds, _ settings: ValueSettings, isSuspended: Bool, at now: PacingInstant
  ) -> Bool {
    let isInBurst = now < openUntil
    openUntil = now + wait
    if isPending {
      // A value held while a delivery runs stays due; with a leading edge alone, later values are
      // dropped. Of a suspended tool the newer value brings its own deadline.
      guard settings.edges.hasTrailing else { return false }
      if isSuspended { opens = 0 }
      if isSuspended || deadline > now { deadline = min(openUntil, limit) }
      return true
    }
    let isLeading = settings.edges.hasLeading && !isInBurst
    guard isLeading || settings.edges.hasTrailing else { return false }
    opens = isLeading ? wait : 0
    limit = now + max(settings.maximumWait, wait)
    deadline = isLeading ? now : openUntil
    return true
  }

  /// Every delivery opens a window when it is decided.
  @inline(__always)
  private mutating func throttle(_ wait: Nanoseconds, _ edges: Edges, at now: PacingInstant) -> Bool
  {
    // Without a trailing edge a pending value is a leading one, held while a delivery runs.
    guard edges.hasTrailing || !isPending && now >= openUntil else { return false }
    if !isPending {
      if now >= openUntil { openUntil = edges.hasLeading ? now : now + wait }
      deadline = openUntil
    }
    opens = wait
    return true
  }

  /// Removes the pending value, whose deadline has come.
  @inline(__always)
  package mutating func due(_ settings: ValueSettings, at now: PacingInstant) {
    switch settings.rule {
    // The quiet period after a leading delivery starts when that is decided, even if late.
    case .debounce: if opens > 0 { openUntil = max(openUntil, now + opens) }
    case .throttle: openUntil = now + opens
    case .audit, .sample: break
    }
    clear()
  }

  /// Makes the pending value due now; called only if there is one.
  package mutating func flush(_ settings: ValueSettings, at now: PacingInstant) {
    deadline = min(deadline, now)
    if case .debounce = settings.rule {
      opens = 0
      openUntil = .distantPast
    }
  }

  /// Drops the pending value, if there is one; a window stays, a quiet period does not.
  package mutating func cancel(_ settings: ValueSettings) {
    if case .debounce = settings.rule { openUntil = .distantPast }
    clear()
  }

  /// Drops the pending value of a caller that has left; the burst goes on unless it began with it.
  mutating func leave(_ settings: ValueSettings) {
    opens > 0 || !settings.edges.hasTrailing ? cancel(settings) : clear()
  }

  /// Drops the pending value, and closes the window.
  package mutating func reset() {
    openUntil = .distantPast
    clear()
  }

  @inline(__always)
  private mutating func clear() {
    isPending = false
    deadline = .distantFuture
  }
}
