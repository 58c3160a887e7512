import Testing

@testable import pace

@Suite("String.quoted")
struct StringQuotedTests {
  @Test(
    "keeps a message on one line, and off the terminal's controls",
    arguments: [
      ("5 parsecs", "\"5 parsecs\""),
      ("", "\"\""),
      ("é 漢 🙂", "\"é 漢 🙂\""),
      ("a\nb\tc\r\n", "\"a\\nb\\tc\\r\\n\""),
      ("\u{1B}[2J\u{7F}\u{0}", "\"\\u{1B}[2J\\u{7F}\\0\""),
      ("\u{202E}abc", "\"\\u{202E}abc\""),
      (String(repeating: "x", count: 61), "\"\(String(repeating: "x", count: 60))…\""),
    ])
  func quotes(text: String, expected: String) {
    #expect(text.quoted == expected)
  }
}
