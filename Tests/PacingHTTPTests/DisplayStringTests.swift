import PacingHTTP
import Testing

@Suite("RateLimitFields: display strings")
struct DisplayStringTests {
  @Test(
    "reads display strings as they are defined",
    arguments: [
      #"%"a \ b""#, #"%"%c3%bc""#, #"%"""#, #"%"\""#, #"%"100%25""#, #"%"%00""#, #"%"'%22'""#,
      #"%"%f0%9f%95%b0""#,
    ])
  func displayStrings(text: String) {
    let read = RateLimitFieldsTests.read(["RateLimit": "\"a\";r=1;d=\(text);t=2"])
    #expect(read.limits == [ServiceLimit("a", remaining: 1, resetAfter: .seconds(2))])
  }

  @Test(
    "a display string that is none makes its field malformed",
    arguments: [
      #"%"%C3%BC""#, #"%"%c3""#, #"%"%""#, #"%"%4""#, #"%"%zz""#, #"%"%ff%fe""#, #"%"%c0%80""#,
      #"%"a\"b""#, #"%"ü""#, #"%"a"#, "%a", "%", "%\"a\tb\"", "%\"\u{7f}\"", #"%"%ed%a0%80""#,
    ])
  func malformedDisplayStrings(text: String) {
    #expect(RateLimitFieldsTests.read(["RateLimit": "\"a\";r=1;d=\(text)"]) == RateLimitFields())
  }
}
