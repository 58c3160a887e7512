/// A pacer around the state of a tool that takes values, whatever its timing.
protocol ValuePacer<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  func flush() -> Bool
  func cancel() -> Value?
  func finish(_ finish: Finish)
  var isPending: Bool { get }
  var pending: Value? { get }
  var timeRemaining: Duration? { get }
  var isEnabled: Bool { get set }
  var statistics: DeliveryStatistics { get }
  func observeDrops(_ body: @escaping @Sendable (Value, DropReason) -> Void)
  func ticks() -> AsyncStream<Value>
  func waitForHandler() async
  func waitForDeliveries() async
}
