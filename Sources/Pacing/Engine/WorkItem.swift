/// A closure in a struct.
///
/// A collection of bare closures wraps each of them in another closure on insertion and on removal,
/// and each of these is an allocation.
package struct WorkItem: Sendable {
  private let body: @Sendable () -> Void

  package init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  func callAsFunction() { body() }
}
