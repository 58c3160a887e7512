/// A type built on a pacer that forwards the verbs common to all tools.
protocol PacerOwner: Sendable {
  associatedtype State: AdjustableState

  var pacer: Pacer<State> { get }
}

extension PacerOwner {
  var isEnabled: Bool {
    get { pacer.isEnabled }
    nonmutating set { pacer.isEnabled = newValue }
  }

  var isSuspended: Bool {
    get { pacer.isSuspended }
    nonmutating set { pacer.isSuspended = newValue }
  }

  func observeDrops(_ body: @escaping @Sendable (State.Output, DropReason) -> Void) {
    pacer.observeDrops(body)
  }

  func ticks<Shown: Sendable>(
    of transform: @escaping @Sendable (State.Output) -> Shown
  ) -> AsyncStream<Shown> {
    pacer.ticks(of: transform)
  }

  func handlerSlot<Shown: Sendable>(
    overlap: Overlap? = nil, showing show: @escaping @Sendable (State.Output) -> Shown
  ) -> _HandlerSlot<Shown> {
    _HandlerSlot(pacer, overlap: overlap, showing: show)
  }

  func waitForHandler() async { await pacer.waitForHandler() }
}
