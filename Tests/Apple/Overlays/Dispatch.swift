// What this package uses of Dispatch, with the types, the sendability and the availability of
// Apple's documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// MARK: Time

public struct DispatchTime: Comparable, Sendable {
  public let uptimeNanoseconds: UInt64

  public init(uptimeNanoseconds: UInt64) { self.uptimeNanoseconds = uptimeNanoseconds }

  public static let distantFuture = DispatchTime(uptimeNanoseconds: .max)
  public static func now() -> DispatchTime { fatalError() }
  public static func < (left: DispatchTime, right: DispatchTime) -> Bool { fatalError() }
}

public struct DispatchWallTime: Comparable, Sendable {
  public static let distantFuture = DispatchWallTime()
  public static func now() -> DispatchWallTime { fatalError() }
  public static func < (left: DispatchWallTime, right: DispatchWallTime) -> Bool { fatalError() }
}

public enum DispatchTimeInterval: Equatable, Sendable {
  case seconds(Int)
  case milliseconds(Int)
  case microseconds(Int)
  case nanoseconds(Int)
  case never
}

public enum DispatchTimeoutResult: Sendable {
  case success
  case timedOut
}

public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }

// MARK: Queues

open class DispatchObject: @unchecked Sendable {
  public func suspend() {}
  public func resume() {}
  @available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, visionOS 1.0, *)
  public func activate() {}
}

public struct DispatchQoS: Equatable, Sendable {
  public enum QoSClass: Sendable {
    case background, utility, `default`, userInitiated, userInteractive, unspecified
  }
  public let qosClass: QoSClass
  public let relativePriority: Int

  public init(qosClass: QoSClass, relativePriority: Int) {
    self.qosClass = qosClass
    self.relativePriority = relativePriority
  }

  public static let background = DispatchQoS(qosClass: .background, relativePriority: 0)
  public static let utility = DispatchQoS(qosClass: .utility, relativePriority: 0)
  public static let `default` = DispatchQoS(qosClass: .default, relativePriority: 0)
  public static let userInitiated = DispatchQoS(qosClass: .userInitiated, relativePriority: 0)
  public static let userInteractive = DispatchQoS(qosClass: .userInteractive, relativePriority: 0)
  public static let unspecified = DispatchQoS(qosClass: .unspecified, relativePriority: 0)
}

public struct DispatchWorkItemFlags: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let barrier = DispatchWorkItemFlags(rawValue: 1)
}

public final class DispatchSpecificKey<Value>: @unchecked Sendable {
  public init() {}
}

open class DispatchQueue: DispatchObject, @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let concurrent = Attributes(rawValue: 1 << 1)
    @available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, visionOS 1.0, *)
    public static let initiallyInactive = Attributes(rawValue: 1 << 2)
  }

  public enum AutoreleaseFrequency: Sendable {
    case inherit, workItem, never
  }

  public convenience init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
    autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
  ) { fatalError() }

  public class var main: DispatchQueue { fatalError() }
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
  public var label: String { fatalError() }

  @preconcurrency
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}

  @preconcurrency
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}

  public func sync<Result>(execute work: () throws -> Result) rethrows -> Result { fatalError() }

  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}

  public func getSpecific<Value>(key: DispatchSpecificKey<Value>) -> Value? { fatalError() }
  public func setSpecific<Value>(key: DispatchSpecificKey<Value>, value: Value?) {}
}

public enum DispatchPredicate {
  case onQueue(DispatchQueue)
  case onQueueAsBarrier(DispatchQueue)
  case notOnQueue(DispatchQueue)
}

@available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, visionOS 1.0, *)
public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {}

// MARK: Waiting

open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
  public init(value: Int) {}

  @discardableResult public func signal() -> Int { fatalError() }

  @available(*, noasync, message: "a task must not block its thread")
  public func wait() {}

  @available(*, noasync, message: "a task must not block its thread")
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
}

open class DispatchGroup: DispatchObject, @unchecked Sendable {
  public override init() {}

  public func enter() {}
  public func leave() {}

  @available(*, noasync, message: "a task must not block its thread")
  public func wait() {}

  @available(*, noasync, message: "a task must not block its thread")
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
}

// MARK: Sources

public protocol DispatchSourceProtocol: AnyObject, Sendable {}

extension DispatchSourceProtocol {
  public typealias DispatchSourceHandler = @convention(block) () -> Void

  public func setEventHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    handler: DispatchSourceHandler?
  ) {}

  public func setCancelHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    handler: DispatchSourceHandler?
  ) {}

  public func cancel() {}
  public func resume() {}
  public func suspend() {}
  @available(macOS 10.12, iOS 10.0, tvOS 10.0, watchOS 3.0, visionOS 1.0, *)
  public func activate() {}
  public var isCancelled: Bool { fatalError() }
}

public protocol DispatchSourceTimer: DispatchSourceProtocol {}

extension DispatchSourceTimer {
  public func schedule(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval = .never,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) {}

  public func schedule(
    wallDeadline: DispatchWallTime, repeating interval: DispatchTimeInterval = .never,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) {}
}

public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol {}

open class DispatchSource: DispatchObject, @unchecked Sendable {
  public struct TimerFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let strict = TimerFlags(rawValue: 1)
  }

  public struct FileSystemEvent: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let delete = FileSystemEvent(rawValue: 0x1)
    public static let write = FileSystemEvent(rawValue: 0x2)
    public static let extend = FileSystemEvent(rawValue: 0x4)
    public static let attrib = FileSystemEvent(rawValue: 0x8)
    public static let link = FileSystemEvent(rawValue: 0x10)
    public static let rename = FileSystemEvent(rawValue: 0x20)
    public static let revoke = FileSystemEvent(rawValue: 0x40)
  }

  public class func makeTimerSource(
    flags: TimerFlags = [], queue: DispatchQueue? = nil
  ) -> any DispatchSourceTimer { fatalError() }

  public class func makeFileSystemObjectSource(
    fileDescriptor: Int32, eventMask: FileSystemEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceFileSystemObject { fatalError() }
}
