extension [String: any Driver] {
  /// The driver of each tool that the library has: a new tool is one line here, and its own file.
  static var all: Self {
    [
      "audit": AuditDriver(),
      "backoff": BackoffDriver(),
      "batch": BatchDriver(),
      "debounce": DebounceDriver(),
      "interval": IntervalDriver(),
      "leaky": LeakyDriver(),
      "retry": RetryDriver(),
      "sample": SampleDriver(),
      "throttle": ThrottleDriver(),
      "token_bucket": TokenBucketDriver(),
    ]
  }
}
