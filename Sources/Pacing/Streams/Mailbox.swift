/// What stands behind every `AsyncStream` of a tool: room for one element, and those who wait.
///
/// An element that comes while one is waiting takes its place, merged by the tool's rule, so a slow
/// consumer never grows memory; what cannot be merged stands in line: batches, and values of
/// different keys. The elements and the end are separate: the end replaces nothing.
///
/// ## Concurrency
/// `offer`, `withdraw` and `end` are called under the tool's lock, so that elements come in the
/// order of the decisions; what they return is resumed after it.
final class Mailbox<Element: Sendable>: Sendable {
  /// Consumers to be resumed, or an element to be let go of, once every lock is free.
  struct Resumption: Sendable {
    fileprivate var continuations = [CheckedContinuation<Element?, Never>]()
    fileprivate var element: Element?

    func resume() {
      for continuation in continuations { continuation.resume(returning: element) }
    }
  }

  private struct State {
    var waiting: MailboxBuffer<Element>
    var hasEnded = false
    /// Consumers in the order in which they asked; not empty only while nothing is waiting.
    var consumers = [CheckedContinuation<Element?, Never>]()
    /// What becomes of the first element, nil once it has come.
    var first: (@Sendable (Element) -> Element)?

    mutating func take() -> Readiness {
      guard let element = waiting.popFirst() else { return hasEnded ? .ended : .none }
      return .element(element)
    }
  }

  private enum Readiness {
    case element(Element)
    case ended
    case none
  }

  private let state: Locked<State>

  init(
    first: (@Sendable (Element) -> Element)? = nil,
    merge: (@Sendable (_ older: Element, _ newer: Element) -> Element)?,
    key: (@Sendable (Element) -> AnyHashable)? = nil
  ) {
    state = Locked(State(waiting: MailboxBuffer(merge: merge, key: key), first: first))
  }

  /// Gives the element to the consumer that has waited longest, or keeps it: merged with the one
  /// that waits, or after it where there is no rule for merging.
  func offer(_ element: Element) -> Resumption? {
    state.withLock { state in
      let element = state.first.take()?(element) ?? element
      guard state.consumers.isEmpty else {
        return Resumption(continuations: [state.consumers.removeFirst()], element: element)
      }
      guard !state.hasEnded else { return nil }
      return state.waiting.add(element).map { Resumption(element: $0) }
    }
  }

  /// How many elements nobody has taken.
  var count: Int {
    state.withLock { $0.waiting.count }
  }

  /// Takes back the elements that nobody has taken, the oldest first: all, or those that are meant.
  func withdraw(where isMeant: @Sendable (Element) -> Bool = { _ in true }) -> [Element] {
    state.withLock { state in
      let withdrawn = state.waiting.takeAll(where: isMeant)
      return withdrawn
    }
  }

  /// Ends the stream once the waiting element has been taken.
  func end() -> Resumption? {
    state.withLock { state in
      state.hasEnded = true
      let consumers = state.consumers
      state.consumers = []
      return consumers.isEmpty ? nil : Resumption(continuations: consumers)
    }
  }

  /// The next element, nil at the end.
  func next() async -> Element? {
    switch state.withLock({ $0.take() }) {
    case .element(let element): return element
    case .ended: return nil
    case .none: break
    }
    return await withCheckedContinuation { continuation in
      let readiness = state.withLock { state in
        let readiness = state.take()
        if case .none = readiness { state.consumers.append(continuation) }
        return readiness
      }
      switch readiness {
      case .element(let element): continuation.resume(returning: element)
      case .ended: continuation.resume(returning: nil)
      case .none: break
      }
    }
  }
}

extension Mailbox {
  /// A stream over the mailbox.
  ///
  /// - Parameters:
  ///   - owner: What the stream keeps alive until it ends.
  ///   - transform: What the stream shows of each element.
  ///   - leave: Called once, when the consumer has gone: the stream and its iterators were dropped,
  ///     or the task that waited was cancelled.
  /// - Returns: The stream; the mailbox lives as long as it does.
  func stream<Shown: Sendable>(
    keeping owner: (any AnyObject & Sendable)?,
    of transform: @escaping @Sendable (Element) -> Shown, leave: @escaping @Sendable () -> Void
  ) -> AsyncStream<Shown> {
    let subscription = Subscription(keeping: owner) { [self] in
      leave()
      _ = withdraw()
      end()?.resume()
    }
    return AsyncStream(
      unfolding: { [self] in
        // The closure holds the subscription, and with it the consumer's lifetime.
        defer { withExtendedLifetime(subscription) {} }
        return await next().map(transform)
      },
      onCancel: { subscription.end() })
  }
}
