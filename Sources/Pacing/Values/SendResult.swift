/// What happens to a sent value, or to the value that it displaces.
package enum SendResult: Hashable, Sendable {
  /// The value is pending; no other was.
  case kept

  /// One of the two values is delivered for both.
  case merged

  /// The value is dropped.
  case dropped(DropReason)
}
