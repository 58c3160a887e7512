extension Keep {
  /// The same rule for type-erased values.
  var erased: Keep<AnyValue> {
    guard let reduce else { return Keep<AnyValue>(keepsFirst: keepsFirst, reduce: nil) }
    return .reducing { pending, value in AnyValue(reduce(pending.get(), value.get())) }
  }
}

extension Rules {
  /// The same rules for type-erased values.
  var erased: Rules<AnyValue> {
    let keep = Keep(keepsFirst: false, reduce: reduce).erased
    guard let wait else { return Rules<AnyValue>(wait: nil, keep: keep) }
    return Rules<AnyValue>(wait: { value in wait(value.get()) }, keep: keep)
  }
}
