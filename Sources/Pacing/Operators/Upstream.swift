/// The sequence that an operator reads, and the settings common to all operators.
struct Upstream<Base: AsyncSequence & Sendable>: Sendable where Base.Element: Sendable {
  typealias Element = Base.Element

  let base: Base
  /// What happens to what is pending at the end; nil for the default of the operator's tool.
  var atEnd: Finish?
  var onError = Finish.discard
  let tolerance: Duration
  let service: TimerService

  init(
    _ base: Base, atEnd: Finish? = nil, onError: Finish = .discard, tolerance: Duration,
    clock: any Clock<Duration>
  ) {
    self.base = base
    self.atEnd = atEnd
    self.onError = onError
    self.tolerance = tolerance
    service = clock.service
  }

  /// The elements paced by a tool that holds one value, made when an iterator is.
  func paced(
    by settings: @autoclosure @escaping @Sendable () -> ValueSettings,
    keeping keep: Keep<Element> = .latest, varying rule: (@Sendable (Element) -> Duration?)? = nil
  ) -> PacedSequence<Element, Base.Failure> {
    PacedSequence {
      let pacer = ValuePacer(
        settings(), keeping: keep, varying: rule, tolerance: tolerance, service: service)
      return iterator(through: pacer, showing: { $0.get() }) { element in
        var value = AnyValue(element)
        pacer.send(&value)
      }
    }
  }

  /// The elements paced by a tool for keys, made when an iterator is.
  func paced<Key: Hashable & Sendable>(
    by settings: @autoclosure @escaping @Sendable () -> ValueSettings,
    for key: @escaping @Sendable (Element) -> Key, keeping keep: Keep<Element> = .latest,
    varying rule: (@Sendable (Element) -> Duration?)? = nil, maximumKeys: Int,
    whenFull: WhenFull
  ) -> PacedSequence<Element, Base.Failure> {
    let wait = rule.map { rule in { @Sendable (_: Key, element: Element) in rule(element) } }
    return PacedSequence {
      let pacer = KeyedPacer(
        settings(), keeping: keep, varying: wait, maximumKeys: maximumKeys, whenFull: whenFull,
        tolerance: tolerance, service: service)
      return iterator(through: pacer, showing: { $0.value.get() }, room: maximumKeys) { element in
        var value = AnyValue(element)
        pacer.send(&value, for: AnyKey(key(element)))
      }
    }
  }

  /// Begins to read, and to hand out what a tool decides.
  func iterator<Core: ToolPacer, Shown: Sendable>(
    through tool: Core, showing show: @escaping @Sendable (Core.State.Output) -> Shown,
    room: Int? = nil, send: @escaping @Sendable (Element) -> Void
  ) -> PacedIterator<Shown, Base.Failure> {
    iterator(over: tool.pacer.subscribe(), showing: show, room: room, send: send) {
      tool.finish($0)
    } leave: {
      // Discarded before what is due by now is decided: no consumer is there to take it. What is
      // dropped is released outside the lock.
      withExtendedLifetime(tool.pacer.overrule { $0.finish(.discard, at: $1) }) {}
    }
  }

  /// Begins to read, and to hand out what comes into a mailbox.
  ///
  /// The operator's state, which `send` gives an element, fills and ends the mailbox; `finish` ends
  /// the state with upstream, `leave` with the consumer. Reading stops while as many outputs as
  /// there is `room` for wait; nil for no bound.
  func iterator<Output: Sendable, Shown: Sendable>(
    over mailbox: Mailbox<Output>, showing show: @escaping @Sendable (Output) -> Shown, room: Int?,
    send: @escaping @Sendable (Element) -> Void,
    finish: @escaping @Sendable (Finish?) -> Void, leave: @escaping @Sendable () -> Void
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
  /// The run cancels the task. `take` returns false if it wants no further element; `goOn` is
  /// called immediately before upstream is asked for one.
  func read<Output>(
    in relay: Relay<Output, some Error>,
    take: @escaping @Sendable (Base.Element) async -> Bool,
    goOn: @escaping @Sendable () -> Void = {},
    end: @escaping @Sendable (Base.Failure?) -> Void
  ) {
    let iterator = base.makeAsyncIterator()
    // On manual time, elements that came are read by the time `advance` returns.
    let reader = Task(executorPreference: service.manual) {
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
