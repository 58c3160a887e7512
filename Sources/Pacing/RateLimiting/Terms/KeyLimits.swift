/// What a key of a ``KeyedRateLimiter`` or a ``KeyedConcurrencyLimit`` may take.
enum KeyLimits {
  /// One bucket, of which a table keeps a stamp.
  case bucket(Quota)
  /// Any limits, of which a table keeps the parts.
  case parts([Limit])
  /// Permits, of which a table keeps a part too; nil to give one back.
  case permits(Int?)

  var isReturn: Bool { if case .permits(nil) = self { true } else { false } }
}
