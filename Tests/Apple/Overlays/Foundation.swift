// What the tests use of Foundation, with the types of its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import Darwin
@_exported import Dispatch

public typealias TimeInterval = Double

public struct Date: Comparable, Hashable, Sendable {
  public var timeIntervalSince1970: TimeInterval
  public init() { fatalError() }
  public init(timeIntervalSince1970: TimeInterval) { fatalError() }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { fatalError() }
  public static func < (left: Date, right: Date) -> Bool { fatalError() }
}

public struct UUID: Hashable, Sendable, CustomStringConvertible {
  public init() {}
  public var uuidString: String { fatalError() }
  public var description: String { fatalError() }
}

public struct Data: Hashable, Sendable, RandomAccessCollection {
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public init() {}
  public init<Bytes: Sequence>(_ bytes: Bytes) where Bytes.Element == UInt8 {}
  public init(contentsOf url: URL) throws {}
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 { fatalError() }
  public func write(to url: URL, options: WritingOptions = []) throws {}
}

public struct URL: Hashable, Sendable {
  public struct DirectoryHint: Sendable {
    public static let isDirectory = DirectoryHint()
    public static let inferFromPath = DirectoryHint()
  }
  public init(filePath: String, directoryHint: DirectoryHint = .inferFromPath) {}
  public init(fileURLWithPath: String) {}
  public var path: String { fatalError() }
  public var lastPathComponent: String { fatalError() }
  public var pathExtension: String { fatalError() }
  public var standardized: URL { fatalError() }
  public var standardizedFileURL: URL { fatalError() }
  public func path(percentEncoded: Bool = true) -> String { fatalError() }
  public func appending(path: String, directoryHint: DirectoryHint = .inferFromPath) -> URL {
    fatalError()
  }
  public func appendingPathComponent(_ component: String) -> URL { fatalError() }
  public func deletingLastPathComponent() -> URL { fatalError() }
  public func deletingPathExtension() -> URL { fatalError() }
}

public struct CharacterSet: Sendable {
  public static let whitespaces = CharacterSet()
  public static let whitespacesAndNewlines = CharacterSet()
  public init(charactersIn: String) {}
  public init() {}
}

extension String {
  public struct Encoding: Hashable, Sendable {
    public static let utf8 = Encoding()
  }
  public init(contentsOf url: URL, encoding: Encoding) throws { fatalError() }
  public func write(to url: URL, atomically: Bool, encoding: Encoding) throws {}
  public init(contentsOfFile path: String, encoding: Encoding) throws { fatalError() }
  public init(format: String, _ arguments: any CVarArg...) { fatalError() }
  public init?(data: Data, encoding: Encoding) { fatalError() }
}

extension StringProtocol {
  public func components(separatedBy separator: some StringProtocol) -> [String] { fatalError() }
  public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
  public func replacingOccurrences(
    of target: some StringProtocol, with replacement: some StringProtocol
  ) -> String { fatalError() }
  public func contains(_ other: some StringProtocol) -> Bool { fatalError() }
}

open class Thread: @unchecked Sendable {
  public init() {}
  public convenience init(block: @escaping @Sendable () -> Void) { fatalError() }
  public class func sleep(forTimeInterval seconds: TimeInterval) {}
  public class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
  public class var isMainThread: Bool { fatalError() }
  public func start() {}
}

open class ProcessInfo: @unchecked Sendable {
  public class var processInfo: ProcessInfo { fatalError() }
  public var environment: [String: String] { fatalError() }
  public var activeProcessorCount: Int { fatalError() }
  public var processIdentifier: Int32 { fatalError() }
  public var systemUptime: TimeInterval { fatalError() }
}

public struct FileAttributeKey: Hashable, Sendable {
  public static let size = FileAttributeKey()
  public static let modificationDate = FileAttributeKey()
  public static let posixPermissions = FileAttributeKey()
}

public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
  public let boolValue: Bool
  public init(booleanLiteral value: Bool) { boolValue = value }
}

open class FileManager: @unchecked Sendable {
  public class var `default`: FileManager { fatalError() }
  public var temporaryDirectory: URL { fatalError() }
  public var currentDirectoryPath: String { fatalError() }
  public func removeItem(at url: URL) throws {}
  public func fileExists(atPath path: String) -> Bool { fatalError() }
  public func fileExists(
    atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?
  ) -> Bool { fatalError() }
  public func isExecutableFile(atPath path: String) -> Bool { fatalError() }
  public func contentsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
  public func subpathsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
  public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws
  {}
  public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
    fatalError()
  }
  public func createDirectory(
    at url: URL, withIntermediateDirectories: Bool,
    attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  public func contentsOfDirectory(
    at url: URL, includingPropertiesForKeys keys: [String]?
  ) throws -> [URL] { fatalError() }
}

open class JSONDecoder: @unchecked Sendable {
  public init() {}
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    fatalError()
  }
}

open class JSONEncoder: @unchecked Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let sortedKeys = OutputFormatting(rawValue: 1)
  }
  public init() {}
  public var outputFormatting: OutputFormatting = []
  public func encode(_ value: some Encodable) throws -> Data { fatalError() }
}

open class FileHandle: @unchecked Sendable {
  public class var nullDevice: FileHandle { fatalError() }
  public func readToEnd() throws -> Data? { fatalError() }
  public var availableData: Data { fatalError() }
  public func readDataToEndOfFile() -> Data { fatalError() }
}

open class Pipe: @unchecked Sendable {
  public init() {}
  public var fileHandleForReading: FileHandle { fatalError() }
  public var fileHandleForWriting: FileHandle { fatalError() }
}

open class Process {
  public init() {}
  public var executableURL: URL?
  public var arguments: [String]?
  public var environment: [String: String]?
  public var currentDirectoryURL: URL?
  public var standardInput: Any?
  public var standardOutput: Any?
  public var standardError: Any?
  public var processIdentifier: Int32 { fatalError() }
  public var isRunning: Bool { fatalError() }
  public var terminationStatus: Int32 { fatalError() }
  public func run() throws {}
  public func terminate() {}
  public func waitUntilExit() {}
}

public func floor(_ number: Double) -> Double { fatalError() }
