/// What a value is to be reduced with.
///
/// A reduction calls a user's closure, so it happens outside the lock, between two calls of the
/// state: if the pending value has changed by the second one, the value is reduced again.
struct Reduction<Value: Sendable>: Error {
  let pending: Value
  /// Identifies the pending value.
  let identity: any AnyObject & Sendable
}

/// A reduction and its result.
struct Reduced<Value: Sendable>: Sendable {
  let reduction: Reduction<Value>
  let result: Value
}
