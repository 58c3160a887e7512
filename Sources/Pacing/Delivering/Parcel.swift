/// A value on its way, behind a reference: the size of what holds it does not depend on the value's
/// type, which keeps the generic runtime out of the hot path.
final class Parcel<Value: Sendable>: @unchecked Sendable {
  // Written only while it is pending, under the lock of the tool that holds it; that lock is also
  // what makes a check of exclusive access at each write needless.
  @exclusivity(unchecked)
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}
