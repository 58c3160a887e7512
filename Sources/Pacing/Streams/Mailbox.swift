/// The buffer behind every `AsyncStream` of a tool: usually one element, and the waiting consumers.
///
/// A new element replaces one that was not taken, merged by the tool's rule, so a slow consumer
/// does not grow memory. Elements that cannot be merged, such as batches and values of different
/// keys, are kept in FIFO order. The end is separate from the elements and replaces none.
///
/// ## Concurrency
/// Thread-safe. A pacer calls `offer` and `withdraw` under its lock, so that elements come in the
/// order of the decisions. A resumption is performed with no lock held. Most methods are those
/// of `MailboxState`. A copy is the same mailbox.
struct Mailbox<Element: Sendable>: Sendable {
  /// Resumes consumers, or releases an element, once every lock is free.
  struct Resumption: Sendable { let resume: @Sendable () -> Void }

  /// The task that waits; its continuation is not checked, because the state hands it out once.
  @safe
  private struct SuspendedTask: Sendable { let continuation: UnsafeContinuation<Element?, Never> }

  typealias Consumer = Subscription<Mailbox>
  private typealias State = MailboxState<Element, SuspendedTask>

  private let state: Locked<State>

  init(_ rule: MailboxRule<Element>) {
    state = Locked(State(rule))
  }

  func offer(_ element: Element) -> Resumption? {
    switch state.withLock({ $0.offer(element) }) {
    case .handed(let element, let consumer):
      Resumption { unsafe consumer.continuation.resume(returning: element) }
    // An element that refers to nothing needs no release.
    case .kept(let replaced?) where !_isPOD(Element.self):
      Resumption { withExtendedLifetime(replaced) {} }
    case .kept, .refused: nil
    }
  }

  var singleCount: Int { state.withLock { $0.singleCount } }

  func withdraw(where isIncluded: @Sendable (Element) -> Bool = { _ in true }) -> [Element] {
    state.withLock { $0.withdraw(where: isIncluded) }
  }

  var isOver: Bool { state.withLock { $0.hasEnded && $0.line.isEmpty } }

  func end() -> Resumption? {
    let consumers = state.withLock { $0.end() }
    guard !consumers.isEmpty else { return nil }
    return Resumption {
      for consumer in consumers { unsafe consumer.continuation.resume(returning: nil) }
    }
  }

  /// Inlined: an element that is there needs no further asynchronous call.
  @inline(__always)
  func next() async -> Element? {
    switch state.withLock({ $0.take() }) {
    case .element(let element): element
    case .ended: nil
    case .none: await wait()
    }
  }

  @inline(never)
  private func wait() async -> Element? {
    unsafe await withUnsafeContinuation { continuation in
      let task = unsafe SuspendedTask(continuation: continuation)
      switch state.withLock({ $0.take(orWait: task) }) {
      case .element(let element): unsafe continuation.resume(returning: element)
      case .ended: unsafe continuation.resume(returning: nil)
      case .none: break
      }
    }
  }
}

extension Subscription {
  /// The elements of a mailbox, transformed; the closures hold the consumer's lifetime.
  func ticks<Element, Shown: Sendable>(
    of transform: @escaping @Sendable (Element) -> Shown
  ) -> AsyncStream<Shown> where Source == Mailbox<Element> {
    AsyncStream(
      unfolding: { [self] in await source.next().map(transform) },
      onCancel: { [self] in end() })
  }
}
