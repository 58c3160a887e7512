/// A user's value, whose type only those know who put it in and take it out.
///
/// What is generic over a user's type is compiled without knowing it, and asks the runtime for a
/// dozen types at every call: a tool's state and shell work with this type instead, and are
/// compiled once. A value of up to three words is held without an allocation.
struct AnyValue: Sendable {
  private let value: any Sendable

  @inline(__always)
  init(_ value: some Sendable) {
    self.value = value
  }

  /// The value, taken out as what it was put in.
  func get<Value>(_: Value.Type = Value.self) -> Value { Self.cast(value) }

  // Opened first, and then cast: a cast from a type that is known costs less.
  private static func cast<Held, Value>(_ held: Held) -> Value { held as! Value }
}
