/// Something that happened in one lane of a scene, at a time since its beginning.
struct Mark: Equatable, Sendable {
  let lane: Int
  let time: Duration

  /// What stands in the lane: one character, or a short word.
  let sign: String

  /// What it was, in words.
  let text: String

  let tone: Tone
}
