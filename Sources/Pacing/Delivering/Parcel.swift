/// A value on its way, behind a reference: the size of what holds it does not depend on the value's
/// type, which keeps the generic runtime out of the hot path.
final class Parcel<Value: Sendable>: @unchecked Sendable {
  // Written only while it is pending, under the lock of the tool that holds it.
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}
