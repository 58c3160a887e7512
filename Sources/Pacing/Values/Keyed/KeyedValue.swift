/// A value and the key it was sent for.
public struct KeyedValue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The key that the value was sent for.
  public let key: Key

  /// The value sent.
  public let value: Value

  /// Makes a keyed value, for comparison with a delivered one.
  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}

extension KeyedValue: Equatable where Value: Equatable {}
extension KeyedValue: Hashable where Value: Hashable {}
