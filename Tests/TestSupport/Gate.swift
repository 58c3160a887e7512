internal import Pacing

/// Named gates at which handlers wait until the test opens them; the test can wait for arrivals.
package final class Gate<Name: Hashable & Sendable>: Sendable {
  private struct State {
    var isOpen = false
    var opened = Set<Name>()
    var come = Set<Name>()
    var waiting = [Name: [CheckedContinuation<Void, Never>]]()
    var watching = [Name: [CheckedContinuation<Void, Never>]]()
  }

  private let state = Locked(State())

  package init() {}

  /// Waits until the gate of `name` is open; cancelling the task does not end the wait.
  package func pass(_ name: Name) async {
    let watching = state.withLock { state in
      state.come.insert(name)
      return state.watching.removeValue(forKey: name) ?? []
    }
    for continuation in watching { continuation.resume() }
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        let isOpen = state.isOpen || state.opened.contains(name)
        if !isOpen { state.waiting[name, default: []].append(continuation) }
        return isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Waits until a handler has arrived at the gate of `name`.
  package func arrival(_ name: Name) async {
    await withCheckedContinuation { continuation in
      let hasCome = state.withLock { state in
        let hasCome = state.come.contains(name)
        if !hasCome { state.watching[name, default: []].append(continuation) }
        return hasCome
      }
      if hasCome { continuation.resume() }
    }
  }

  /// Opens the gate of `name` for good.
  package func open(_ name: Name) {
    let waiting = state.withLock { state in
      state.opened.insert(name)
      return state.waiting.removeValue(forKey: name) ?? []
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Opens every gate for good.
  package func openAll() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting.values.flatMap(\.self)
    }
    for continuation in waiting { continuation.resume() }
  }
}
