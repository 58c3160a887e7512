/// An event in a lane of a scene.
struct Mark: Equatable, Sendable {
  let lane: Int

  /// The time since the start of the scene.
  let time: Duration

  /// Its label in the lane: one character, or a short word.
  let sign: String

  /// A description.
  let text: String

  let tone: Tone
}
