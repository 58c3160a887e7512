package func changing<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var copy = value
  change(&copy)
  return copy
}

extension Span where Element: ~Copyable {
  /// Asks about an element where it is; a subscript makes a copy of one that can be copied.
  @inline(__always)
  package func ask<A>(_ index: Int, _ body: (borrowing Element) -> A) -> A { body(self[index]) }
}
