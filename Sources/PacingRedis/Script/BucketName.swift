/// The name of a bucket in the store.
///
/// Names are equal if their bytes are, as for a server. Strings are equal if they are canonically
/// equivalent: an accented letter of one scalar is equal to one of two.
struct BucketName: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (one: BucketName, other: BucketName) -> Bool {
    one.hasBytes(of: other) ?? one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// The answer for strings whose bytes are contiguous, as those of Swift are; nil for others.
  private func hasBytes(of other: BucketName) -> Bool? {
    unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.text.utf8.withContiguousStorageIfAvailable { others in
        unsafe bytes.count == others.count && bytes.elementsEqual(others)
      }
    }.flatMap { $0 }
  }

  /// Names with the same bytes have the same hash, as all equivalent ones do.
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
