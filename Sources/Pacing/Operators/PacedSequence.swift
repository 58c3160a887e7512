/// A sequence of elements paced by an operator: by `debounced(for:)` or one of its siblings.
///
/// The sequence that the operator reads is not part of the type, so it can be the type of a
/// property or a result, however many operators are chained:
///
/// ```swift
/// let queries: PacedSequence<String, Never> = keystrokes.debounced(for: .milliseconds(300))
/// ```
///
/// ## Concurrency
/// Each iterator is a run of its own; see ``PacedIterator``.
public struct PacedSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  private let iterate: @Sendable () -> PacedIterator<Element, Failure>

  init(_ iterate: @escaping @Sendable () -> PacedIterator<Element, Failure>) {
    self.iterate = iterate
  }

  /// Begins to read upstream; each call is a separate run.
  public func makeAsyncIterator() -> PacedIterator<Element, Failure> { iterate() }
}
