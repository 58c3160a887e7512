/// A token bucket's settings and level at a time of the wall clock, to continue the bucket in a
/// later run of the program.
///
/// ```swift
/// let saved = try JSONEncoder().encode(bucket.snapshot())
/// // … a restart …
/// let bucket = TokenBucket(resuming: try JSONDecoder().decode(BucketSnapshot.self, from: saved))
/// ```
///
/// It contains the rate, the burst, the refill, the overdraft, the tokens including fractions, a
/// pause, and the pending reservations. Waiters, statistics and a closure of the bucket end with
/// the run.
///
/// Decoding throws `DecodingError` if the values are not those of a bucket.
public struct BucketSnapshot: Hashable, Sendable {
  /// A number of a bucket's units, coded as decimal text.
  struct Units: Hashable {
    let count: Int128
  }

  /// A pending reservation, with times after the snapshot.
  struct Pin: Hashable, Codable {
    let tokens: Int
    let at: Units
    /// The latest time at which the bucket may be full after it.
    let limit: Units
  }

  /// The refill's grid.
  struct Steps: Hashable, Codable {
    let period: Nanoseconds
    /// The time from the snapshot to the next step.
    let next: Nanoseconds
  }

  /// The time of the wall clock, since 1970-01-01 UTC.
  public var time: Duration { Duration(nanoseconds: wallTime) }

  /// The refill rate.
  public let rate: Rate

  /// The most tokens that the bucket holds.
  public let burst: Int

  let wallTime: Nanoseconds
  /// The factor of the bucket's scale.
  let fineness: Int64
  let overdraft: Overdraft.Kind
  /// Nil if tokens arrive one by one.
  let steps: Steps?
  /// The time until the bucket is full.
  let debt: Units
  /// The rest of a pause, nil if there is none.
  let pause: Nanoseconds?
  /// In order of time.
  let pins: [Pin]
}
