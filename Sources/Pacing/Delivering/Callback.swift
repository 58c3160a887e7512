/// A user's closure and the place where it runs.
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

  /// Has the closure run there with an output that nobody can withdraw any more.
  func call(_ output: Output, in service: TimerService) {
    place.perform(in: service) { body(output) }
  }
}
