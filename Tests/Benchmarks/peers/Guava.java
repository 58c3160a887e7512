import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.RateLimiter;
import java.util.Locale;
import java.util.function.IntConsumer;

/** Times of Guava, one line each: a name, a value and a unit. */
final class Guava {
  /** Keeps the compiler from leaving out what produces it. */
  static volatile boolean result;

  public static void main(String[] words) {
    RateLimiter open = RateLimiter.create(1e9);
    measure("Guava tryAcquire, allowed", 20_000, count -> {
      boolean allowed = true;
      for (int i = 0; i < count; i++) allowed &= open.tryAcquire();
      result = allowed;
    });
    RateLimiter empty = RateLimiter.create(1e-5);
    empty.acquire();
    measure("Guava tryAcquire, denied", 20_000, count -> {
      boolean allowed = false;
      for (int i = 0; i < count; i++) allowed |= empty.tryAcquire();
      result = allowed;
    });
    keys(100_000);
  }

  /** Asks one of many limiters, in a cache of at most twice as many. */
  private static void keys(int number) {
    Cache<String, RateLimiter> limiters =
        CacheBuilder.newBuilder().maximumSize(2L * number).build();
    String[] picked = new String[number];
    for (int i = 0; i < number; i++) {
      limiters.put("a key of a client, number " + i, RateLimiter.create(1e9));
      picked[i] = "a key of a client, number " + (int) (i * 7_919L % number);
    }
    measure("Guava Cache + RateLimiter, 100k String keys", number, count -> {
      boolean allowed = true;
      for (int i = 0; i < count; i++) allowed &= limiters.getIfPresent(picked[i]).tryAcquire();
      result = allowed;
    });
  }

  /** Prints the time of one operation in the fastest of some batches. */
  private static void measure(String name, int count, IntConsumer batch) {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < 60; round++) {
      long start = System.nanoTime();
      batch.accept(count);
      best = Math.min(best, System.nanoTime() - start);
    }
    System.out.printf(Locale.ROOT, "%s\t%.1f\tns%n", name, (double) best / count);
  }
}
