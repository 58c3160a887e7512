//! Measures the least that a rate limit can do: one compare and exchange of the instant at which it
//! would be full, without a lock. Each line is a name, a value and a unit.
//!
//! governor decides so: by default on the processor's counter, and with keys in a map of shards
//! behind locks of readers and writers, hashed by SipHash.

use std::collections::hash_map::RandomState;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::RwLock;
use std::time::{Duration, Instant};

const DAY: u64 = 86_400_000_000_000;
const KEYS: usize = 100_000;

/// A clock in units of its own.
trait Clock {
    fn now(&self) -> u64;
}

/// The system's clock, in nanoseconds.
struct System(Instant);

impl Clock for System {
    fn now(&self) -> u64 {
        self.0.elapsed().as_nanos() as u64
    }
}

/// The processor's counter.
#[cfg(target_arch = "x86_64")]
struct Counter;

#[cfg(target_arch = "x86_64")]
impl Clock for Counter {
    fn now(&self) -> u64 {
        unsafe { core::arch::x86_64::_rdtsc() }
    }
}

/// A limit whose state is the instant at which it would be full.
struct Limit(AtomicU64);

impl Limit {
    /// Spends one token of `interval` if the limit is no more than `tolerance` behind.
    fn allows(&self, now: u64, interval: u64, tolerance: u64) -> bool {
        let mut full_at = self.0.load(Ordering::Relaxed);
        loop {
            let next = full_at.max(now) + interval;
            if next - now > tolerance {
                return false;
            }
            let (success, failure) = (Ordering::AcqRel, Ordering::Relaxed);
            match self.0.compare_exchange_weak(full_at, next, success, failure) {
                Ok(_) => return true,
                Err(current) => full_at = current,
            }
        }
    }
}

/// Limits by key, in shards.
struct Keyed<Key> {
    hasher: RandomState,
    shards: Vec<RwLock<HashMap<Key, Limit, RandomState>>>,
}

impl<Key: Hash + Eq + Clone> Keyed<Key> {
    fn new(keys: &[Key]) -> Self {
        let hasher = RandomState::new();
        let shard = || RwLock::new(HashMap::with_hasher(hasher.clone()));
        let keyed = Keyed { shards: (0..8).map(|_| shard()).collect(), hasher };
        for key in keys {
            let mut shard = keyed.shard(key).write().unwrap();
            shard.insert(key.clone(), Limit(AtomicU64::new(0)));
        }
        keyed
    }

    fn shard(&self, key: &Key) -> &RwLock<HashMap<Key, Limit, RandomState>> {
        let mut hasher = self.hasher.build_hasher();
        key.hash(&mut hasher);
        &self.shards[hasher.finish() as usize >> 7 & 7]
    }

    fn allows(&self, key: &Key, now: u64) -> bool {
        self.shard(key).read().unwrap()[key].allows(now, 1, DAY)
    }
}

/// Prints the time of one operation in the fastest of some batches.
fn measure(name: &str, count: usize, batch: impl Fn(usize) -> usize, allowed: usize) {
    let mut best = Duration::MAX;
    for _ in 0..40 {
        let start = Instant::now();
        assert_eq!(batch(count), allowed);
        best = best.min(start.elapsed());
    }
    println!("{name}\t{:.1}\tns", best.as_nanos() as f64 / count as f64);
}

fn direct(clock: impl Clock, suffix: &str) {
    let open = Limit(AtomicU64::new(0));
    let empty = Limit(AtomicU64::new(u64::MAX / 4));
    let asked = |limit: &Limit, count| {
        (0..count).filter(|_| limit.allows(clock.now(), 1, DAY)).count()
    };
    let name = format!("GCRA in Rust{suffix}");
    measure(&format!("{name}, allowed"), 20_000, |count| asked(&open, count), 20_000);
    measure(&format!("{name}, denied"), 20_000, |count| asked(&empty, count), 0);
}

fn keyed<Key: Hash + Eq + Clone>(name: &str, key: impl Fn(usize) -> Key) {
    let keys: Vec<Key> = (0..KEYS).map(&key).collect();
    let (limits, clock) = (Keyed::new(&keys), System(Instant::now()));
    let picked: Vec<Key> = (0..KEYS).map(|number| key(number * 7_919 % KEYS)).collect();
    let asked = |count| {
        picked[..count].iter().filter(|key| limits.allows(key, clock.now())).count()
    };
    measure(&format!("GCRA in Rust, 100k {name} keys"), KEYS, asked, KEYS);
}

fn main() {
    direct(System(Instant::now()), "");
    #[cfg(target_arch = "x86_64")]
    direct(Counter, " on the processor's counter");
    keyed("u64", |number| number as u64);
    keyed("String", |number| format!("a key of a client, number {number}"));
}
