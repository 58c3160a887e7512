/// The shards of a keyed limiter, found by hash; their number is a power of two.
///
/// It is generic over the shard. Code that is generic over the key would ask the runtime for the
/// type of a shard whenever it reads an array of them; here the object knows it.
final class ShardList<Shard: AnyObject & Sendable>: Sendable {
  let all: ContiguousArray<Shard>

  init(_ all: ContiguousArray<Shard>) { self.all = all }

  func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (all.count - 1) }

  // Inlined into code that is generic over the key, it would ask for the type again.
  @inline(never)
  subscript(hash: UInt64) -> Shard { all[index(of: hash)] }
}
