extension TokenBucket {
  /// What a bucket has done since it was made.
  public struct Statistics: Hashable, Sendable {
    /// How many requests were granted, reservations included.
    public internal(set) var granted = 0

    /// How many requests were refused, at once or while they waited.
    public internal(set) var refused = 0

    /// How many callers left the queue before their turn.
    public internal(set) var withdrawn = 0

    /// The tokens that were granted, less those given back by reservations.
    public internal(set) var tokens = 0

    @inline(__always)
    mutating func note(_ isGranted: Bool, _ cost: Int) {
      if isGranted {
        granted &+= 1
        tokens &+= cost
      } else {
        refused &+= 1
      }
    }
  }
}
