/// What a value is to be reduced with.
///
/// A reduction is a user's closure and happens outside the lock, between two calls of the state: by
/// the second one the pending value may be another, and the value is reduced with that one.
struct Reduction<Value: Sendable>: Error {
  let pending: Value
  /// What the pending value was in, which tells whether it still is the pending one.
  let parcel: Parcel<Value>
}

/// A reduction, and what came of it.
struct Reduced<Value: Sendable>: Sendable {
  let reduction: Reduction<Value>
  let result: Value
}
