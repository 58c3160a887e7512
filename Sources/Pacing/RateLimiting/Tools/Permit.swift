import Synchronization

/// A permit of a ``ConcurrencyLimit`` or a ``KeyedConcurrencyLimit``, held until it is given back
/// or dropped.
///
/// ## Concurrency
/// Thread-safe. A permit does not keep its limit alive. Dropping the last reference gives it back:
/// the compiler may end an unused reference early, so call `release()` when the work is done.
public final class Permit: Sendable {
  private let charge: Charge
  private let isReleased = Atomic(false)
  /// Gives back what else is held.
  private let andThen: (@Sendable () -> Void)?

  init(_ charge: Charge, andThen: (@Sendable () -> Void)? = nil) {
    self.charge = charge
    self.andThen = andThen
  }

  deinit { end(.unknown) }

  /// Gives the permit back; the first waiter takes it.
  ///
  /// Idempotent: only the first call of `release()` or `drop()` has an effect. To a limit that
  /// adapts it is a success.
  public func release() { end(.success) }

  /// Gives the permit back, and tells a limit that adapts that the server has too much to do.
  public func drop() { end(.overload) }

  func end(_ outcome: PermitOutcome) {
    guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
    charge.releasePermit(outcome)
    andThen?()
  }

  /// Corrects what was charged to the other limits, as ``Charge/settle(_:)-(Costs)`` does; the
  /// permit stays held.
  public func settle(_ costs: Costs) { charge.settle(costs) }
}
