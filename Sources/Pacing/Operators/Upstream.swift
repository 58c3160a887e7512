/// The sequence that an operator reads, and the settings that all operators have.
struct Upstream<Base: AsyncSequence & Sendable>: Sendable where Base.Element: Sendable {
  let base: Base
  var atEnd = Finish.deliver
  var onError = Finish.discard
  let tolerance: Duration
  let clock: any PacingClock

  /// Begins to read, into a tool that holds one value.
  func iterator<Timing>(
    pacedBy timing: Timing
  ) -> PacedIterator<Base.Element, Base.Failure> where Timing: ValueTiming {
    iterator(through: Holding<Timing, Base.Element>(timing), isHeldBack: false) { pacer, value in
      pacer.send(value)
    } finish: { state, finish, now in
      state.finish(finish, at: now)
    }
  }

  /// Begins to read, and to hand out what a state decides.
  ///
  /// - Parameters:
  ///   - state: The state, idle.
  ///   - isHeldBack: Whether reading stops while the consumer has more than one output to take.
  ///   - send: What is done with an element.
  ///   - finish: What is done at the end; it returns what it drops.
  /// - Returns: The iterator over what is decided.
  func iterator<State: PacedState>(
    through state: State, isHeldBack: Bool,
    send: @escaping @Sendable (Pacer<State>, Base.Element) -> Void,
    finish: @escaping @Sendable (inout State, Finish, PacingInstant) -> some Sendable
  ) -> PacedIterator<State.Output, Base.Failure> {
    let pacer = Pacer(state, handler: nil, tolerance: tolerance, clock: clock)
    let relay = Relay<State.Output, Base.Failure>(pacer.subscribe())
    read(in: relay) { element in
      send(pacer, element)
      if isHeldBack { await relay.waitForRoom() }
      return true
    } end: { [atEnd, onError] failure in
      if let failure { relay.fail(with: failure) }
      let policy = failure == nil ? atEnd : onError
      _ = pacer.update { finish(&$0, policy, $1) }
    }
    return PacedIterator(relay) {
      // Discarded before what is due by now is decided: nobody is there to take it.
      _ = pacer.overrule { finish(&$0, .discard, pacer.service.now) }
    }
  }

  /// Starts the task that reads upstream: it hands over each element as it comes, and then the end.
  ///
  /// - Parameters:
  ///   - relay: What cancels the task.
  ///   - take: What is done with an element; false where no further one is wanted.
  ///   - end: What is done at the end, with the error or without one.
  func read<Output>(
    in relay: Relay<Output, some Error>,
    take: @escaping @Sendable (Base.Element) async -> Bool,
    end: @escaping @Sendable (Base.Failure?) -> Void
  ) {
    let iterator = base.makeAsyncIterator()
    let reader = Task {
      var iterator = iterator
      // Upstream is let go of when its end has been passed on, not before.
      defer { withExtendedLifetime(iterator) {} }
      do throws(Base.Failure) {
        while let element = try await iterator.next(isolation: #isolation) {
          guard await take(element), !Task.isCancelled else { return }
        }
        end(nil)
      } catch {
        end(error)
      }
    }
    relay.adopt(reader)
  }
}
