/// The main actor as a handler's place: `on: .main`.
///
/// A separate type, so that the compiler knows the handler's isolation: the handler accesses
/// main-actor state without a task, an `await` or an explicit hop.
public struct MainDelivery: Sendable {
  /// The main actor.
  public static var main: MainDelivery { MainDelivery() }
}
