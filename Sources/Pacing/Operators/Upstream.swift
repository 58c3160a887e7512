/// The sequence that an operator reads, and the settings common to all operators.
struct Upstream<Base: AsyncSequence & Sendable>: Sendable where Base.Element: Sendable {
  let base: Base
  var atEnd = Finish.deliver
  var onError = Finish.discard
  let tolerance: Duration
  let clock: any PacingClock

  /// The elements paced by a tool that holds one value; its idle state is asked for when an
  /// iterator is made.
  func paced<Timing>(
    through state: @autoclosure @escaping @Sendable () -> ValueState<Timing, Base.Element>,
    by rules: Rules<Base.Element>?
  ) -> PacedSequence<Base.Element, Base.Failure> {
    PacedSequence {
      iterator(through: state()) { pacer, value in
        var value = value
        pacer.send(&value, by: rules)
      } finish: { state, finish, now in
        state.finish(finish, at: now)
      }
    }
  }

  /// Begins to read, and to hand out what a state decides.
  ///
  /// - Parameters:
  ///   - state: The state, idle.
  ///   - room: How many outputs wait for the consumer before reading stops; nil for no bound.
  ///   - send: Takes an element.
  ///   - finish: Ends the state; returns what it drops.
  /// - Returns: The iterator over what is decided.
  func iterator<State: PacedState>(
    through state: State, room: Int? = nil,
    send: @escaping @Sendable (Pacer<State>, Base.Element) -> Void,
    finish: @escaping @Sendable (inout State, Finish, PacingInstant) -> some Sendable
  ) -> PacedIterator<State.Output, Base.Failure> {
    let pacer = Pacer(state, handler: nil, tolerance: tolerance, clock: clock)
    return iterator(over: pacer.subscribe(), showing: { $0 }, room: room) { element in
      send(pacer, element)
    } finish: { policy in
      // What is dropped is released outside the lock; so it is below.
      withExtendedLifetime(pacer.update { finish(&$0, policy, $1) }) {}
    } leave: {
      // Discarded before what is due by now is decided: no consumer is there to take it.
      withExtendedLifetime(pacer.overrule { finish(&$0, .discard, $1) }) {}
    }
  }

  /// Begins to read, and to hand out what comes into a mailbox.
  ///
  /// - Parameters:
  ///   - mailbox: The mailbox that the operator's state fills and ends.
  ///   - show: Makes an element of an output.
  ///   - room: How many outputs wait for the consumer before reading stops; nil for no bound.
  ///   - send: Takes an element.
  ///   - finish: Ends the state when upstream ends.
  ///   - leave: Ends it when the consumer has left.
  /// - Returns: The iterator over the mailbox.
  func iterator<Output: Sendable, Shown: Sendable>(
    over mailbox: Mailbox<Output>, showing show: @escaping @Sendable (Output) -> Shown, room: Int?,
    send: @escaping @Sendable (Base.Element) -> Void,
    finish: @escaping @Sendable (Finish) -> Void, leave: @escaping @Sendable () -> Void
  ) -> PacedIterator<Shown, Base.Failure> {
    let relay = Relay<Output, Base.Failure>(mailbox)
    read(in: relay) { element in
      send(element)
      if let room { await relay.waitForRoom(room) }
      return true
    } end: { [atEnd, onError] failure in
      if let failure { relay.fail(with: failure) }
      finish(failure == nil ? atEnd : onError)
    }
    return PacedIterator(relay, showing: show, leave: leave)
  }

  /// How many elements a reader takes before it lets other tasks run, which costs as much as a few.
  private static var turn: Int { 64 }

  /// Starts the task that reads upstream: it hands over each element as it comes, and then the end.
  ///
  /// - Parameters:
  ///   - relay: The run, which cancels the task.
  ///   - take: Takes an element; returns false if it wants no further one.
  ///   - goOn: Called immediately before upstream is asked for a further element.
  ///   - end: Called at the end, with the error if there is one.
  func read<Output>(
    in relay: Relay<Output, some Error>,
    take: @escaping @Sendable (Base.Element) async -> Bool,
    goOn: @escaping @Sendable () -> Void = {},
    end: @escaping @Sendable (Base.Failure?) -> Void
  ) {
    let iterator = base.makeAsyncIterator()
    // On manual time, elements that came are read by the time `advance` returns.
    let reader = Task(executorPreference: clock.service.manual) {
      var iterator = iterator
      var count = 0
      do throws(Base.Failure) {
        while let element = try await iterator.next(isolation: #isolation) {
          guard await take(element) else { return }
          // Elements may always be ready: the consumer's turn comes too, also on one thread.
          count &+= 1
          if count % Self.turn == 0 { await Task.yield() }
          guard !Task.isCancelled else { return }
          goOn()
        }
        end(nil)
      } catch {
        end(error)
      }
    }
    relay.adopt(reader)
  }
}
