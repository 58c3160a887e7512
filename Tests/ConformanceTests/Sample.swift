import Testing

/// A case for the harness itself, and its expected verdict.
struct Sample: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let json: String
  let verdict: Verdict

  private init(_ description: String, _ verdict: Verdict, _ json: String) {
    testDescription = description
    self.json = json
    self.verdict = verdict
  }

  /// A debouncer of 10 that receives "a" at 0, with the given answer.
  private static func debounce(
    _ answer: String, id: String = "x.1", tool: String = "debounce",
    config: String = "{\"wait\": 10}", input: String = "[[0, \"a\"]]", end: String = "null",
    adopt: String = "true"
  ) -> String {
    """
    {"id": "\(id)", "tool": "\(tool)", "config": \(config), "input": \(input), "end": \(end),
     "adopt": \(adopt), \(answer)}
    """
  }

  private static let right = "\"expect\": [[10, \"a\"]]"
  private static let wrong = "\"expect\": [[10, \"b\"]]"

  static let all = passing + failing + missing + malformed + endless

  private static let passing = [
    Sample("the right answer", .passed, debounce(right)),
    Sample(
      "the answer under our tie rule", .passed,
      debounce("\(wrong), \"expect_timer_first\": [[10, \"a\"]]")),
    Sample(
      "our answer in a named deviation", .passed,
      debounce(
        "\(wrong), \"deviation\": \"odd\", \"expect_ours\": [[10, \"a\"]]", adopt: "false")),
    Sample(
      "a tolerated difference", .passed,
      debounce("\"expect\": [[11, \"a\"]]", config: "{\"wait\": 10, \"tolerance_ms\": 1}")),
    Sample(
      "times in nanoseconds", .passed,
      debounce("\"expect\": [[7, \"a\"]]", config: "{\"wait\": 7, \"unit\": \"ns\"}")),
    Sample(
      "the end", .passed,
      debounce("\"expect\": [[4, \"a\"]], \"expect_end\": [4, \"complete\"]", end: "4")),
    Sample(
      "our answer in a contradiction", .passed,
      debounce("\"expect\": [], \"ours\": [[10, \"a\"]]", adopt: "null")),
    Sample(
      "a refusal as our only answer in a contradiction", .passed,
      """
      {"id": "x.1", "tool": "token_bucket", "config": {"rate_per_s": 1, "burst": 2}, "expect": [],
       "input": [[0, {"op": "reserve", "n": 3}]], "ours": null}
      """),
    Sample(
      "an error as our answer in a contradiction", .passed,
      debounce(
        "\"expect\": [], \"ours\": [[4, \"<error>\"]]",
        input: "[[0, \"a\"], [4, {\"op\": \"error\"}]]", adopt: "null")),
  ]

  private static let failing = [
    Sample("another value", .failed("x.1"), debounce(wrong)),
    Sample(
      "a row beside a total", .failed("x.1"),
      debounce("\(wrong), \"expect_total\": {\"ok_min\": 0, \"ok_max\": 0}")),
    Sample(
      "a nanosecond", .failed("actual [[10, \"a\"]]"),
      debounce("\"expect\": [[10.000001, \"a\"]]")),
    Sample(
      "a nanosecond of a time that no product gives exactly", .failed("x.1"),
      debounce("\"expect\": [[8236.450054, \"a\"]]", config: "{\"wait\": 8236.450055}")),
    Sample("a delivery too many", .failed("expected []"), debounce("\"expect\": []")),
    Sample("a delivery that is missing", .failed("x.1"), debounce(right, input: "[]")),
    Sample(
      "an end that does not come", .failed("end: expected [[10, \"complete\"]], actual []"),
      debounce("\(right), \"expect_end\": [10, \"complete\"]")),
    Sample(
      "an unexpected end", .failed("expected no end"),
      debounce("\(right), \"expect_end\": null", end: "20")),
    Sample(
      "another answer of pending", .failed("pending"),
      debounce(
        "\(right), \"queries\": [[1, false]]", input: "[[0, \"a\"], [1, {\"op\": \"pending\"}]]")),
    Sample(
      "another answer of cancel", .failed("returned"),
      debounce(
        "\"expect\": [], \"op_returns\": [[1, null]]",
        input: "[[0, \"a\"], [1, {\"op\": \"cancel\"}]]")),
    Sample(
      "another answer of cancel in a named deviation", .failed("returned"),
      debounce(
        "\"deviation\": \"odd\", \"expect_ours\": [], \"op_returns\": [[1, null]]",
        input: "[[0, \"a\"], [1, {\"op\": \"cancel\"}]]", adopt: "false")),
    Sample(
      "the end of another kind in a contradiction", .failed("end"),
      debounce(
        "\"expect\": [], \"ours\": [[4, \"<complete>\"]]",
        input: "[[0, \"a\"], [4, {\"op\": \"error\"}]]", adopt: "null")),
    Sample(
      "the source's answer where ours binds", .failed("x.1"),
      debounce(
        "\(right), \"deviation\": \"odd\", \"expect_ours\": [[11, \"a\"]]", adopt: "false")),
  ]

  private static let missing = [
    Sample(
      "an unknown tool", .unsupported("juggle", "tool"), debounce(right, tool: "juggle")),
    Sample(
      "an unknown setting", .unsupported("debounce", "spin-rate"),
      debounce(right, config: "{\"wait\": 10, \"spin_rate\": 1}")),
    Sample(
      "an unknown operation", .unsupported("debounce", "spin-up"),
      debounce(right, input: "[[0, {\"op\": \"spin_up\"}]]")),
    Sample(
      "an unknown argument", .unsupported("debounce", "half"),
      debounce(right, input: "[[0, {\"op\": \"flush\", \"half\": true}]]")),
    Sample(
      "a class that we have no answer to", .unsupported("debounce", "magic"),
      debounce("\(right), \"deviation\": \"unsupported-magic\"", adopt: "false")),
    Sample(
      "a deviation without our answer", .unsupported("debounce", "odd"),
      debounce("\(right), \"deviation\": \"odd\"", adopt: "false")),
    Sample(
      "an unknown argument of a poller", .unsupported("poll", "half"),
      play("poll", "{\"period\": 1}", "[[0, {\"op\": \"poll_now\", \"half\": true}]]")),
    Sample(
      "an unknown argument of a stall", .unsupported("bucket_queue", "half"),
      play(
        "bucket_queue", "{\"rate_per_s\": 1, \"burst\": 1, \"catch_up\": 0}",
        "[[0, {\"op\": \"stall\", \"until\": 1, \"half\": true}]]")),
    Sample(
      "an unknown report", .unsupported("interval", "report"),
      play("interval", "{\"period\": 1, \"report\": \"half\"}", "[]")),
    Sample(
      "a rule in words that no driver checks", .unsupported("debounce", "property"),
      debounce("\"expect\": [], \"property\": true", input: "[]")),
    Sample(
      "a rule in words of another case", .unsupported("token_bucket", "property"),
      play(
        "token_bucket", "{\"algorithm\": \"pay_next\", \"rate_per_s\": 1, \"max_burst_s\": 1}",
        "[[0, {\"op\": \"property\"}]]")),
    Sample(
      "another start of a leaky bucket", .unsupported("leaky", "start"),
      play("leaky", "{\"rate_per_s\": 1, \"slack\": 1, \"start\": \"full\"}", "[]")),
    Sample(
      "another refill", .unsupported("token_bucket", "lazy"),
      play("token_bucket", "{\"rate_per_s\": 1, \"burst\": 1, \"refill\": \"lazy\"}", "[]")),
    Sample(
      "a delay that may outlast the limit", .unsupported("retry", "counts-upcoming-sleep"),
      play(
        "retry", "{\"max_elapsed\": 9, \"counts_upcoming_sleep\": false}",
        "[[8, {\"op\": \"should_stop\"}]]")),
  ]

  private static let malformed = [
    Sample("no object", .failed("sample.json[0]"), "7"),
    Sample("no id", .failed("sample.json[0]"), "{\"tool\": \"debounce\"}"),
    Sample("no tool", .failed("x.2"), "{\"id\": \"x.2\"}"),
    Sample("no answer", .failed("expect"), debounce("\"notes\": \"\"")),
    Sample("nothing that binds", .failed("adopt"), debounce(right, adopt: "null")),
    Sample("an answer that is no list", .failed("expect"), debounce("\"expect\": 3")),
    Sample("a row that is no pair", .failed("expect"), debounce("\"expect\": [[10]]")),
    Sample("an input that is no list", .failed("input"), debounce(right, input: "{}")),
    Sample("an input without time", .failed("input[0]"), debounce(right, input: "[[\"a\"]]")),
    Sample("a value that is no text", .failed("an input is 7"), debounce(right, input: "[[0, 7]]")),
    Sample("a setting of another type", .failed("wait"), debounce(right, config: "{\"wait\": []}")),
    Sample("a missing setting", .failed("wait"), debounce(right, config: "{}")),
  ]
  /// A case of any tool that expects nothing.
  private static func play(_ tool: String, _ config: String, _ input: String) -> String {
    """
    {"id": "x.3", "tool": "\(tool)", "config": \(config), "input": \(input), "end": null,
     "adopt": true, "expect": []}
    """
  }

  private static let endless = [
    Sample(
      "a timer that is to make up for the ticks of a century", .failed("it ticks too often"),
      play(
        "interval", "{\"period\": 1, \"missed\": \"burst\"}",
        "[[1, {\"op\": \"reset\", \"next\": -3e12}], [2, {\"op\": \"poll\"}]]")),
    Sample(
      "a timer that a century's stall holds up", .failed("it ticks too often"),
      play(
        "interval", "{\"period\": 1, \"missed\": \"burst\"}",
        "[[0, {\"op\": \"stall\", \"until\": 3e12}]]")),
    Sample(
      "attempts without a pause or a limit", .failed("it never comes to rest"),
      play("retry", "{\"policy\": \"none\"}", "[]")),
    Sample(
      "attempts without a limit or a horizon", .failed("it never comes to rest"),
      play("retry", "{\"policy\": \"fixed\", \"base\": 1}", "[]")),
    Sample(
      "a crowd that no machine has room for", .failed("there are too many callers"),
      play(
        "leaky", "{\"rate_per_s\": 1, \"slack\": 0}",
        "[[0, {\"op\": \"greedy\", \"callers\": 9000000000}]]")),
    Sample(
      "a caller that is never held up", .failed("it never comes to rest"),
      play(
        "leaky", "{\"rate_per_s\": null, \"slack\": 0}",
        "[[0, {\"op\": \"greedy\", \"callers\": 1}]]")),
    Sample(
      "a handler that answers itself", .failed("it never comes to rest"),
      play(
        "debounce", "{\"wait\": 0, \"reentrant\": {\"on\": [\"a\"], \"submit\": [\"a\"]}}",
        "[[0, \"a\"]]")),
    Sample(
      "a tool that always has something due", .failed("it never comes to rest"),
      play(
        "batch", "{\"period\": 1, \"timer_restart\": \"on_flush\", \"emit_empty\": true}", "[]")),
  ]
}
