import Synchronization

/// A permit of a ``ConcurrencyLimit``, held until it is given back or dropped.
///
/// ## Concurrency
/// Thread-safe. A permit does not keep its limit alive. Dropping the last reference gives it back:
/// the compiler may end an unused reference early, so call `release()` when the work is done.
public final class Permit: Sendable {
  private let charge: Charge
  private let isReleased = Atomic(false)

  init(_ charge: Charge) {
    self.charge = charge
  }

  deinit {
    release()
  }

  /// Gives the permit back; the first waiter takes it.
  ///
  /// Idempotent: only the first call has an effect.
  public func release() {
    guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
    charge.queue.update { $0.state.releasePermit() }
  }

  /// Corrects what was charged to the other limits, as ``Charge/settle(_:)-(Costs)`` does; the
  /// permit stays held.
  public func settle(_ costs: Costs) { charge.settle(costs) }
}
