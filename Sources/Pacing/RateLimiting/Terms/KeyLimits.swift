/// What a key of a ``KeyedRateLimiter`` may spend.
enum KeyLimits {
  /// One bucket, of which a table keeps a stamp.
  case bucket(Quota)
  /// Any limits, whose state is a queue.
  case parts([Limit])
}
