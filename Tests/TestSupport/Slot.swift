internal import Pacing

/// A place for one thing that is known only later: a tool, for its own handler.
package final class Slot<Content: Sendable>: Sendable {
  private let content: Locked<Content?>

  package init(_ content: Content? = nil) {
    self.content = Locked(content)
  }

  package var value: Content? { content.withLock { $0 } }

  /// Puts something else there and returns what it displaced.
  @discardableResult
  package func put(_ new: Content?) -> Content? {
    content.withLock { content in
      let old = content
      content = new
      return old
    }
  }
}
