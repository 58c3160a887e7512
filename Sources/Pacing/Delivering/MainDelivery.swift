/// The main actor as the place of a handler: `on: .main`.
///
/// It is a type of its own, so that the compiler knows the handler's isolation: the handler may
/// touch the main actor's state without a task, an `await` or a hop that you write.
public struct MainDelivery: Sendable {
  /// The main actor.
  public static var main: MainDelivery { MainDelivery() }
}
