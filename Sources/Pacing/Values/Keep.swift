/// Which of several values that come while one is pending is delivered in the end.
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

  /// The value that came first.
  public static var first: Keep { Keep(keepsFirst: true, reduce: nil) }

  /// One value made of the pending one and each that comes.
  ///
  /// - Parameter combine: What two values become, the pending one first. It is called on the thread
  ///   that sends. Where other threads send too, or a value falls due meanwhile, it may be called
  ///   again for the same value, and only its last result counts: it should do nothing but
  ///   calculate.
  /// - Returns: The rule.
  public static func reducing(
    _ combine: @escaping @Sendable (_ pending: Value, _ new: Value) -> Value
  ) -> Keep {
    Keep(keepsFirst: false, reduce: combine)
  }
}
