/// Which value a tool keeps if several are sent while one is pending.
///
/// ```swift
/// let clicks = Throttler<Int>(every: .seconds(1), keeping: .reducing(+)) { report($0) }
/// clicks.send(1)
/// ```
public struct Keep<Value: Sendable>: Sendable {
  let keepsFirst: Bool
  let reduce: (@Sendable (Value, Value) -> Value)?

  /// The newest value.
  public static var latest: Keep { Keep(keepsFirst: false, reduce: nil) }

  /// The first value.
  public static var first: Keep { Keep(keepsFirst: true, reduce: nil) }

  /// The combination of the pending value and each new one, made on the sending thread.
  ///
  /// `combine` must have no side effects: if another thread sends or a value falls due meanwhile,
  /// it may be called again for the same value, and only the last result counts.
  public static func reducing(
    _ combine: @escaping @Sendable (_ pending: Value, _ new: Value) -> Value
  ) -> Keep {
    Keep(keepsFirst: false, reduce: combine)
  }
}
