/// Quotas that change.
extension KeyedShard.State {
  /// Applies a changed quota to a bucket, which keeps what was spent of it.
  // Never inlined: most limiters have one quota, and do not come here.
  @inline(never)
  mutating func apply(_ quota: Quota, to slot: Slot) {
    switch slot {
    case .known(let entry):
      let old = quotas[buckets.table.quota(of: entry)]
      guard old != quota else { return }
      if let old {
        buckets.table[entry] = buckets.table[entry].converted(
          from: old, to: quota, at: buckets.latest)
      }
      buckets.table.setQuota(number(of: quota), of: entry)
    case .stranger where buckets.whenFull == .share:
      guard let old = quotas.shared, old != quota else { return }
      share(buckets.shared.converted(from: old, to: quota, at: buckets.latest), quota)
    case .new, .forgetting, .stranger: break
    }
  }

  /// The number by which an entry remembers its quota.
  mutating func number(of quota: Quota) -> QuotaList.Number {
    hasOneQuota ? 0 : quotas.number(of: quota, in: buckets.table)
  }

  /// Stores the level of the shared bucket.
  mutating func share(_ stamp: KeyStamp, _ quota: Quota) {
    buckets.share(stamp)
    quotas.shared = quota
  }
}
