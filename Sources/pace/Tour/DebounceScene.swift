import Pacing

/// Keystrokes, and the searches that a debouncer makes of them, without and with a maximum wait.
struct DebounceScene: Scene {
  let title = "Debouncer"
  let call = "Debouncer<String>(for: .milliseconds(300)) { query in search(query) }"
  let explanation = """
    Delivers the last value once no further one has come for a while. A maximum wait also \
    delivers on the way, while values keep coming.
    """
  let lanes = ["keys", "quiet 300 ms", "or after 600 ms"]
  let length = Duration.milliseconds(2_000)

  func play(into recorder: SceneRecorder) async throws {
    let patient = Debouncer<String>(for: .milliseconds(300)) { query in
      recorder.note("●\(query)", "search for \(query.quoted)", in: 1, as: .delivered)
    }
    let eager = Debouncer<String>(for: .milliseconds(300), maximumWait: .milliseconds(600)) {
      query in recorder.note("●\(query)", "search for \(query.quoted)", in: 2, as: .delivered)
    }
    var query = ""
    try await Trace.typing.play(on: recorder) { key, _ in
      query += key.text
      recorder.note(key.text == " " ? "␣" : key.text, key.text.quoted, in: 0, as: .input)
      patient.send(query)
      eager.send(query)
    }
    try await recorder.wait(until: length)
  }

  func summary(of recorder: SceneRecorder) -> String {
    """
    \(recorder.count(in: 0)) keys received; searches delivered: \(recorder.count(in: 1)), \
    \(recorder.count(in: 2)) with a maximum wait
    """
  }
}
