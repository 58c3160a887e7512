extension [String: any Driver] {
  /// The driver of each tool that the library has: a new tool is one line here, and its own file.
  static var all: Self {
    [
      "audit": AuditDriver(),
      "backoff": BackoffDriver(),
      "batch": BatchDriver(),
      "debounce": DebounceDriver(),
      "fixed_window": WindowDriver(isSliding: false),
      "interval": IntervalDriver(),
      "leaky": LeakyDriver(),
      "retry": RetryDriver(),
      "sample": SampleDriver(),
      "sliding_window": WindowDriver(isSliding: true),
      "throttle": ThrottleDriver(),
      "token_bucket": TokenBucketDriver(),
    ]
  }
}
