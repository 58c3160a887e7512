/// What becomes of a value that was sent, or of the one that it displaced.
enum Fate {
  /// It is pending, and no other was.
  case kept
  /// One of the two stands for both.
  case merged
  case dropped(DropReason)
}
