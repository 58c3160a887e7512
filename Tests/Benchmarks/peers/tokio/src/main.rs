//! Measures tokio. Each line is a name, a value and a unit.

use std::alloc::{GlobalAlloc, Layout, System};
use std::future::{poll_fn, Future};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio_util::time::DelayQueue;

const DAY: Duration = Duration::from_secs(86_400);

/// Counts the bytes that are handed out.
struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        System.dealloc(pointer, layout)
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Prints the time of one operation in the fastest of some batches.
async fn measure<Batch: Future<Output = ()>>(name: &str, count: u32, batch: impl Fn(u32) -> Batch) {
    let mut best = Duration::MAX;
    for _ in 0..24 {
        let start = Instant::now();
        batch(count).await;
        best = best.min(start.elapsed());
    }
    println!("{name}\t{:.1}\tns", best.as_nanos() as f64 / f64::from(count));
}

async fn queue(count: u32) {
    let mut queue = DelayQueue::with_capacity(1);
    for number in 0..count {
        let key = queue.insert(number, DAY);
        queue.remove(&key);
    }
}

/// A sleep is only in the wheel once it has been polled.
async fn sleep(count: u32) {
    for _ in 0..count {
        let mut sleep = Box::pin(tokio::time::sleep(DAY));
        poll_fn(|context| {
            let _ = sleep.as_mut().poll(context);
            Poll::Ready(())
        })
        .await;
    }
}

/// The time that the process has spent on processors, from its file in /proc: hundredths of a second.
fn processors() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: f64 = fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap();
    ticks * 10_000_000.0
}

/// Sets timers evenly over a second, and waits for all of them.
async fn fire(count: u32) {
    let start = processors();
    let tasks: Vec<_> = (0..count)
        .map(|index| tokio::spawn(tokio::time::sleep(Duration::from_micros(10 * u64::from(index)))))
        .collect();
    for task in tasks {
        let _ = task.await;
    }
    let cost = (processors() - start) / f64::from(count);
    println!("schedule + fire tokio Sleep\t{cost:.1}\tns CPU");
}

/// Sets one timer after the other.
async fn lateness(count: usize) {
    const WAIT: Duration = Duration::from_millis(5);
    let mut late = Vec::new();
    for _ in 0..count {
        let start = Instant::now();
        tokio::time::sleep(WAIT).await;
        late.push((start.elapsed() - WAIT).as_nanos() as f64 / 1000.0);
    }
    late.sort_by(f64::total_cmp);
    for share in [1, 10, 25, 50, 75, 90, 99] {
        println!("lateness tokio Sleep, p{share}\t{:.1}\tµs", late[count * share / 100]);
    }
}

/// Inserts a timer and removes it while others are pending.
async fn growth(others: u32, name: &str) {
    let mut queue = DelayQueue::with_capacity(others as usize + 1);
    for number in 0..others {
        queue.insert(number, DAY + Duration::from_millis(u64::from(number)));
    }
    let count = 20_000;
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        for number in 0..count {
            let spread = u64::from(number) * 7_919 % u64::from(others);
            let key = queue.insert(number, DAY + Duration::from_millis(spread));
            queue.remove(&key);
        }
        best = best.min(start.elapsed());
    }
    let each = best.as_nanos() as f64 / f64::from(count);
    println!("tokio DelayQueue insert + remove, {name}\t{each:.1}\tns");
}

/// Holds a crowd of pending timers.
async fn memory(count: u32) {
    let before = BYTES.load(Ordering::Relaxed);
    let mut queue = DelayQueue::with_capacity(count as usize);
    for number in 0..count {
        queue.insert(number, DAY);
    }
    let bytes = BYTES.load(Ordering::Relaxed) - before;
    println!("tokio DelayQueue pending, memory\t{:.1}\tB", bytes as f64 / f64::from(count));
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        measure("tokio DelayQueue insert + remove", 20_000, queue).await;
        measure("tokio Sleep poll + drop", 20_000, sleep).await;
        growth(1_000, "1k").await;
        growth(10_000, "10k").await;
        growth(100_000, "100k").await;
        growth(1_000_000, "1M").await;
        fire(100_000).await;
        lateness(100).await;
        memory(200_000).await;
    });
}
