extension RandomAccessCollection {
  /// The first index whose element belongs to the second part of the collection, by binary search.
  ///
  /// - Parameter isInSecondPart: False for a prefix of the collection and true for the rest.
  /// - Returns: The index; `endIndex` if the second part is empty.
  @inline(__always)
  func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Index {
    var (low, length) = (startIndex, count)
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if isInSecondPart(self[middle]) {
        length = half
      } else {
        low = index(after: middle)
        length -= half + 1
      }
    }
    return low
  }
}
