extension Drawing {
  /// What happens where the drawing has a row with this label, nil for an unknown kind of drawing.
  func played(_ label: String) async -> Timeline? {
    let timeline = Timeline(steps: steps)
    switch kind {
    case "bucket", "answers", "limits", "permits", "overdraft", "shared":
      playLimit(label, on: timeline)
    case "missed": playMissed(label, on: timeline)
    case "tolerance": playTolerance(label, on: timeline)
    case "timer": playTimer(label, on: timeline)
    case "retry", "backoff", "reconnect": playRetrying(label, on: timeline)
    case "poll": playPoll(on: timeline)
    case "debounced", "throttled", "windows", "batched", "delayed", "until", "timeout", "mapped",
      "limited",
      "byKey":
      playOperator(label, on: timeline)
    default:
      guard await ValueToolPlay(self, label: label, on: timeline).play() else { return nil }
    }
    return timeline
  }
}
