/// Quotas that change.
extension KeyedShard.State {
  /// Applies a changed quota to a key's bucket, which keeps what was spent of it.
  // Never inlined: most limiters have one quota, and do not come here.
  @inline(never)
  mutating func apply(_ quota: Quota, to slot: Slot) {
    // The bucket that new keys share keeps the time at which it is full: with the tokens, a look by
    // a key of a fast quota would fill it for those of slow ones.
    guard case .known(let entry) = slot else { return }
    let old = quotas[buckets.table.quota(of: entry)]
    guard old != quota else { return }
    if let old {
      let before = buckets.table[entry]
      buckets.table[entry] = before.converted(from: old, to: quota, at: buckets.latest)
      // There may be room sooner.
      if buckets.table[entry].isBefore(before) { admitNewcomers() }
    }
    buckets.table.setQuota(number(of: quota), of: entry)
  }

  /// The number by which an entry remembers its quota.
  mutating func number(of quota: Quota) -> QuotaList.Number {
    hasOneQuota ? 0 : quotas.number(of: quota, in: buckets.table)
  }
}
