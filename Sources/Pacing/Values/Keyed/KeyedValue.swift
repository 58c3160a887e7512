/// A value, and the key that it was sent for.
public struct KeyedValue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// What the value belongs to.
  public let key: Key

  /// What was sent.
  public let value: Value

  /// Makes what a keyed tool delivers, to compare with.
  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}

extension KeyedValue: Equatable where Value: Equatable {}
extension KeyedValue: Hashable where Value: Hashable {}
