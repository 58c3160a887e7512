/// One tool at work on a recorded trace: a part of the tour.
protocol Scene: Sendable {
  /// The tool's name.
  var title: String { get }

  /// The call that makes it.
  var call: String { get }

  /// What it does, in a sentence.
  var explanation: String { get }

  /// The names of the lanes, from the top.
  var lanes: [String] { get }

  /// How much time the lanes show.
  var length: Duration { get }

  /// Plays the trace to the tool, in real time, and notes what goes in and what comes out.
  ///
  /// - Throws: `CancellationError` where the tour is interrupted.
  func play(into recorder: EventRecorder) async throws

  /// What was received and what was delivered, in a sentence, once it has been played.
  func summary(of recorder: EventRecorder) -> String
}
