extension [String: any Driver] {
  /// The driver of each tool in the library; a new tool adds one line here and a file.
  static var all: Self {
    [
      "audit": AuditDriver(),
      "backoff": BackoffDriver(),
      "batch": BatchDriver(),
      "bucket_queue": BucketQueueDriver(),
      "debounce": DebounceDriver(),
      "delay": OperatorDriver.delay,
      "fixed_window": WindowDriver(isSliding: false),
      "interval": IntervalDriver(),
      "keyed_limit": KeyedLimitDriver(),
      "leaky": LeakyDriver(),
      "poll": PollDriver(),
      "retry": RetryDriver(),
      "sample": SampleDriver(),
      "sliding_window": WindowDriver(isSliding: true),
      "throttle": ThrottleDriver(),
      "timeout": OperatorDriver.timeout,
      "token_bucket": TokenBucketDriver(),
    ]
  }

  /// The operators; delay and timeout have no other form.
  static var operators: Self {
    [
      "audit": OperatorDriver.audit,
      "batch": OperatorDriver.batch,
      "debounce": OperatorDriver.debounce,
      "delay": OperatorDriver.delay,
      "sample": OperatorDriver.sample,
      "throttle": OperatorDriver.throttle,
      "timeout": OperatorDriver.timeout,
    ]
  }
}
