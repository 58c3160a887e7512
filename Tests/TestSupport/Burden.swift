/// A value that calls a closure when it is deinitialised.
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
