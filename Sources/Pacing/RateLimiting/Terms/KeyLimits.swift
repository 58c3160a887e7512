/// What a key of a ``KeyedRateLimiter`` may spend.
enum KeyLimits {
  /// One bucket, of which a table keeps a stamp.
  case bucket(Quota)
  /// Any limits, of which a table keeps the parts.
  case parts([Limit])
}
