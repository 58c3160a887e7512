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

extension Handler where Output == AnyValue {
  init<Value>(on place: Delivery, erasing body: @escaping @Sendable (Value) -> Void) {
    self.init(on: place) { (value: AnyValue) in body(value.get()) }
  }

  init<Value>(on place: MainDelivery, erasing body: @escaping @MainActor (Value) -> Void) {
    self.init(on: place) { (value: AnyValue) in body(value.get()) }
  }

  init<Value>(overlap: Overlap, erasing body: @escaping @Sendable (Value) async -> Void) {
    self.init(overlap: overlap) { (value: AnyValue) in await body(value.get()) }
  }

  init<Value>(
    on place: MainDelivery, overlap: Overlap,
    erasing body: @escaping @MainActor (Value) async -> Void
  ) {
    self.init(on: place, overlap: overlap) { (value: AnyValue) in await body(value.get()) }
  }

  init<Value, Owner: Actor>(
    on owner: Owner, overlap: Overlap,
    erasing body: @escaping @Sendable (isolated Owner, Value) async -> Void
  ) {
    let erased: @Sendable (isolated Owner, AnyValue) async -> Void = { owner, value in
      await body(owner, value.get())
    }
    self.init(on: owner, overlap: overlap, erased)
  }
}
