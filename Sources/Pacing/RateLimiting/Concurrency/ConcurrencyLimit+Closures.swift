extension ConcurrencyLimit {
  /// Requests a permit, and calls a closure when it is granted or refused, as
  /// `LimitingTool.acquire(_:within:on:completion:)` does.
  ///
  /// A permit that the closure does not keep is given back when the closure returns.
  @discardableResult
  public func acquire(
    within timeout: Duration? = nil, on place: Place = .shared,
    completion: @escaping @Sendable (Result<Permit, AcquireError>) -> Void
  ) -> Acquisition {
    acquire(within: timeout, Callback(on: place, completion))
  }

  /// As `acquire(within:on:completion:)`, with a completion on the main actor.
  @discardableResult
  public func acquire(
    within timeout: Duration? = nil, on place: Place.Main,
    completion: @escaping @MainActor (Result<Permit, AcquireError>) -> Void
  ) -> Acquisition {
    acquire(within: timeout, Callback(on: place, completion))
  }

  private func acquire(
    within timeout: Duration?, _ callback: Callback<Result<Permit, AcquireError>>
  ) -> Acquisition {
    let queue = queue
    return queue.acquire(1, within: timeout, for: self, callback) { result in
      result.map { Permit(queue) }
    }
  }
}
