/// A pacer around the state of a tool that takes values, whatever its timing.
protocol ValuePacer: AnyObject, Sendable {
  func flush() -> Bool
  func cancel() -> AnyValue?
  func finish(_ finish: Finish)
  var isPending: Bool { get }
  var pending: AnyValue? { get }
  var timeRemaining: Duration? { get }
  var isEnabled: Bool { get set }
  var statistics: DeliveryStatistics { get }
  func observeDrops(_ body: @escaping @Sendable (AnyValue, DropReason) -> Void)
  func ticks<Value: Sendable>(
    of transform: @escaping @Sendable (AnyValue) -> Value
  ) -> AsyncStream<Value>
  func waitForHandler() async
  func waitForDeliveries() async
}
