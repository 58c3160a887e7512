/// What a keyed tool holds for one key, shared by the deadlines and the deliveries of the key.
final class KeySlot: @unchecked Sendable {
  enum Phase {
    case none
    case decided
    case running
  }

  // In this order the fields leave no gaps: there may be a million of them.
  let key: AnyKey
  /// Orders the keys by their arrival; it may wrap around.
  let number: UInt32
  // All of it is accessed only under the lock of the tool, which makes a dynamic exclusivity check
  // redundant.
  /// The next slot in the same bucket of the table.
  @safe @exclusivity(unchecked) var next: KeySlot?
  @safe @exclusivity(unchecked) var held = HeldValue()
  /// The number of values that the tool had received before the key's last one.
  @safe @exclusivity(unchecked) var version = 0
  @safe @exclusivity(unchecked) var phase = Phase.none
  /// Whether the entry is among those that wait for the tool to resume.
  @safe @exclusivity(unchecked) var isOverdue = false
  /// Whether it made room for another key: it is removed after its delivery, and leaves no window.
  @safe @exclusivity(unchecked) var isLeaving = false
  /// The entry in one of the queues of deadlines; nil while a delivery is decided or running.
  @safe @exclusivity(unchecked) var entry: DeadlineQueue<KeySlot>.Handle?

  init(key: AnyKey, number: UInt32) {
    self.key = key
    self.number = number
  }

  /// Whether it is the slot of a key; compares the hashes before it copies the key.
  @inline(__always)
  func has(_ other: AnyKey) -> Bool { key.hash == other.hash && key == other }

  var pending: PendingValue? { held.value.map { PendingValue(value: $0, version: version) } }

  /// Whether a delivery of the key is decided or running, or was flushed to make room.
  var isDeparting: Bool { isLeaving || phase != .none }
}

/// A value, its key, and whether it was decided.
struct KeyedOutput: Sendable {
  let slot: KeySlot
  let value: AnyValue
  var isDecided = false

  func get<Key, Value>() -> (key: Key, value: Value) { (slot.key.get(), value.get()) }
}
