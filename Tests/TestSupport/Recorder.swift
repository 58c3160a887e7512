package import Pacing

/// What handlers were given, in order, from any thread.
package final class Recorder<Value: Sendable>: Sendable {
  private let entries = Locked([Value]())

  package init() {}

  package func append(_ value: Value) {
    entries.withLock { $0.append(value) }
  }

  package var all: [Value] { entries.withLock { $0 } }

  /// Takes out everything that was recorded so far.
  package func takeAll() -> [Value] {
    entries.withLock { entries in
      let all = entries
      entries = []
      return all
    }
  }
}

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

/// A value that calls back when nothing holds it any more.
package final class Burden: Sendable {
  package let name: String
  private let onRelease: @Sendable () -> Void

  package init(_ name: String, onRelease: @escaping @Sendable () -> Void) {
    self.name = name
    self.onRelease = onRelease
  }

  deinit {
    onRelease()
  }
}

extension PacingInstant {
  /// The instant that many milliseconds after a manual clock's beginning.
  package static func at(_ milliseconds: Int) -> PacingInstant {
    PacingInstant(nanoseconds: Nanoseconds(milliseconds) * 1_000_000)
  }

  /// The whole milliseconds since a manual clock's beginning.
  package var milliseconds: Int { Int(nanoseconds / 1_000_000) }
}
