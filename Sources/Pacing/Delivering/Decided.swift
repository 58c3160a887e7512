/// An output that was decided, until its delivery has ended or was withdrawn.
///
/// Behind a reference: the size of what holds it does not depend on the output's type, which keeps
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
