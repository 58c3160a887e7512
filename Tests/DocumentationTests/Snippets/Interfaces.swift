import Observation
import Pacing
import PacingTesting
import Testing

// snippet: recipe-ui-model
/// A text that saves itself: a second after the last change, and every ten seconds of typing.
@MainActor @Observable
final class Editor {
  var text = "" {
    didSet {
      isSaved = false
      edits.send(text)
    }
  }
  private(set) var isSaved = true
  private let edits: Debouncer<String>

  init(clock: any Clock<Duration> = .dispatch, save: @escaping @Sendable (String) async -> Void) {
    edits = Debouncer(for: .seconds(1), maximumWait: .seconds(10), clock: clock)
    edits.handle(with: self, on: .main) { editor, text in
      await save(text)
      editor.isSaved = text == editor.text
    }
  }

  func saveNow() async { await edits.flushAndWait() }
}
// end

@Suite("Recipes/SwiftUI.md")
struct InterfaceTests {
  @Test("saves the text once it is left alone")
  @MainActor
  func editor() async {
    let clock = ManualClock(step: .seconds(1))
    let saved = EventRecorder<String>(clock: clock)
    let editor = Editor(clock: clock) { text in saved.record(text) }
    for text in ["a", "ab", "abc"] { editor.text = text }
    clock.advance(by: .milliseconds(999))
    #expect(saved.values == [] && !editor.isSaved)
    clock.advance(by: .milliseconds(1))
    await clock.settle()
    #expect(saved.values == ["abc"] && editor.isSaved)
    editor.text = "abcd"
    await editor.saveNow()
    #expect(saved.values == ["abc", "abcd"] && editor.isSaved)
  }
}
