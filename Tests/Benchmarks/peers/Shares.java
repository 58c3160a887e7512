import com.google.common.util.concurrent.RateLimiter;
import java.util.Locale;

/**
 * Prints the shares of their rates that Guava's limiters grant to threads that wait, one line each:
 * the rate, the burst, the number of threads and the share in percent. Guava's burst is always that
 * of a second, written as "second".
 */
final class Shares {
  private final long start = System.nanoTime();
  private long last = start;
  private int count;
  private volatile boolean isOver;

  private synchronized void add() {
    last = System.nanoTime();
    count += 1;
  }

  private synchronized double share(int rate) {
    return last > start ? 100.0 * count / ((last - start) / 1e9) / rate : 0;
  }

  private static double share(int rate, int waiting, long milliseconds)
      throws InterruptedException {
    Shares shares = new Shares();
    RateLimiter limiter = RateLimiter.create(rate);
    limiter.acquire();
    for (int i = 0; i < waiting; i++) {
      Thread thread = new Thread(() -> {
        while (!shares.isOver) {
          limiter.acquire();
          if (!shares.isOver) shares.add();
        }
      });
      // A thread that sleeps cannot be recalled.
      thread.setDaemon(true);
      thread.start();
    }
    Thread.sleep(milliseconds);
    shares.isOver = true;
    return shares.share(rate);
  }

  public static void main(String[] words) throws InterruptedException {
    for (int rate : new int[] {10, 100, 1000, 10_000, 100_000}) {
      for (int waiting : new int[] {1, 10, 1000}) {
        double share = share(rate, waiting, Long.parseLong(words[0]));
        System.out.printf(Locale.ROOT, "%d\tsecond\t%d\t%.1f%n", rate, waiting, share);
      }
    }
  }
}
