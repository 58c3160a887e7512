//! Times of tokio, one line each: a name, a tab, nanoseconds.

use std::future::{poll_fn, Future};
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio_util::time::DelayQueue;

const DAY: Duration = Duration::from_secs(86_400);

/// Prints the time of one operation in the fastest of some batches.
async fn measure<Batch: Future<Output = ()>>(name: &str, count: u32, batch: impl Fn(u32) -> Batch) {
    let mut best = Duration::MAX;
    for _ in 0..24 {
        let start = Instant::now();
        batch(count).await;
        best = best.min(start.elapsed());
    }
    println!("{name}\t{:.1}", best.as_nanos() as f64 / f64::from(count));
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

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        measure("tokio DelayQueue insert + remove", 20_000, queue).await;
        measure("tokio Sleep poll + drop", 20_000, sleep).await;
    });
}
