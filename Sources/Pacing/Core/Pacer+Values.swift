extension Pacer where State: ValueState {
  /// Whether a value will still be delivered.
  var isPending: Bool { isPending { $0.pending != nil } }

  /// Takes a value.
  func send(_ value: Output) {
    // The value that is displaced is let go of here, outside the lock.
    _ = update { $0.send(value, at: $1) }
  }

  /// Decides the pending value now; false where there is none.
  func flush() -> Bool {
    update { $0.flush(at: $1) }
  }

  /// Takes no more values, and ends the streams when the last one has been delivered.
  func finish(_ finish: Finish) {
    if finish == .discard {
      // Discarding wins over what is due, as cancelling does.
      _ = withdraw { $0.finish(finish, at: service.now) }
    } else {
      _ = update { $0.finish(finish, at: $1) }
    }
  }
}
