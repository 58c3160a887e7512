/// The pending value that a new one must be reduced with.
///
/// A reduction calls a user's closure, so it runs outside the lock, between two calls to the state:
/// if the pending value has changed by the second one, the reduction is repeated.
struct Reduction<Value: Sendable>: Error {
  let pending: Value
  /// The identity of the pending value.
  let identity: any AnyObject & Sendable
}

/// A reduction and its result.
///
/// An object: a `send` that reduces nothing passes a null reference, and no value to be destroyed.
final class Reduced<Value: Sendable>: Sendable {
  let reduction: Reduction<Value>
  let result: Value

  init(reduction: Reduction<Value>, result: Value) {
    self.reduction = reduction
    self.result = result
  }
}
