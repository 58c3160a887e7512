/// What happens to a sent value, or to the value that it displaces.
package enum SendResult: Hashable, Sendable {
  /// The value is pending; no other was.
  case kept

  /// One of the two values is delivered for both.
  case merged

  /// The value is dropped.
  case dropped(DropReason)

  /// Why the value is dropped; nil if it is not.
  var dropReason: DropReason? {
    if case .dropped(let reason) = self { reason } else { nil }
  }
}
