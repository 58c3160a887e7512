/// A decided output, until its delivery ends or is withdrawn.
///
/// A reference type: the size of its container does not depend on the output's type, which keeps
/// the generic runtime out of the hot path.
final class Decided<Output: Sendable>: Sendable {
  let output: Output
  /// The number of the first task that waits for the delivery; see `DeliveryWaiters`.
  let waiter: Int

  init(_ output: Output, waiter: Int) {
    self.output = output
    self.waiter = waiter
  }
}
