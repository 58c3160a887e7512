internal import Pacing

/// A thread-safe slot for a value known only later, such as a tool for its own handler.
package final class Slot<Content: Sendable>: Sendable {
  private let content: Locked<Content?>

  package init(_ content: Content? = nil) {
    self.content = Locked(content)
  }

  package var value: Content? { content.withLock { $0 } }

  /// Stores a value and returns the previous one.
  @discardableResult
  package func put(_ new: Content?) -> Content? {
    content.withLock { content in
      let old = content
      content = new
      return old
    }
  }
}
