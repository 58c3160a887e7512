/// A user's closure and where it runs.
struct Callback<Output: Sendable>: Sendable {
  let place: Delivery
  let body: @Sendable (Output) -> Void

  init(on place: Delivery, _ body: @escaping @Sendable (Output) -> Void) {
    self.place = place
    self.body = body
  }

  init(on _: MainDelivery, _ body: @escaping @MainActor (Output) -> Void) {
    place = .mainQueue
    self.body = { output in MainActor.assumeIsolated { body(output) } }
  }

  /// Runs the closure at its place with an output that can no longer be withdrawn.
  func call(_ output: Output, in service: TimerService) {
    place.perform(in: service) { body(output) }
  }
}
