/// A part of the tour: one tool at work on a recorded trace.
protocol Scene: Sendable {
  /// The tool's name.
  var title: String { get }

  /// The call that creates it.
  var call: String { get }

  /// What it does, in a sentence.
  var explanation: String { get }

  /// The names of the lanes, from the top.
  var lanes: [String] { get }

  /// The time that the lanes show.
  var length: Duration { get }

  /// Plays the trace to the tool in real time, and notes its inputs and outputs.
  ///
  /// - Throws: `CancellationError` if the tour is interrupted.
  func play(into recorder: SceneRecorder) async throws

  /// What was received and what was delivered, in a sentence.
  func summary(of recorder: SceneRecorder) -> String
}
