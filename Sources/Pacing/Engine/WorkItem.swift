/// Something to be done.
///
/// A closure in a struct: a collection of bare closures wraps each of them in another one, on its
/// way in and on its way out, and each of these is an allocation.
struct WorkItem: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  func callAsFunction() { body() }
}
