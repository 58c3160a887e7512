/// A value, and the key that it was sent for.
public struct KeyedValue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// What the value belongs to.
  public let key: Key

  /// What was sent.
  public let value: Value
}

extension KeyedValue: Equatable where Value: Equatable {}
extension KeyedValue: Hashable where Value: Hashable {}
