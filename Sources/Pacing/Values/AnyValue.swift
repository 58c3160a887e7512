/// A type-erased user value.
///
/// Code that is generic over a user's type is compiled without knowing it, and requests a dozen
/// types from the runtime at every call. A tool's state and shell work with this type instead, and
/// are compiled once. A value of up to three words needs no allocation.
struct AnyValue: Sendable {
  private let value: any Sendable

  @inline(__always)
  init(_ value: some Sendable) {
    self.value = value
  }

  /// The value, cast to its original type.
  ///
  /// Name the type if an optional is expected: the cast to an optional costs more.
  func get<Value>(_: Value.Type = Value.self) -> Value { Self.cast(value) }

  // Opens the existential first: a cast from a known type costs less.
  private static func cast<Held, Value>(_ held: Held) -> Value { held as! Value }
}
