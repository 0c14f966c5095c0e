package dev.parley.tap;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import java.io.IOException;
import java.net.URL;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Public keys of an OpenID provider. A thread of its own fetches them every five minutes, and after an unknown key ID
 * at most once per half minute, so no request waits for the provider. While it is unavailable, they are used for an
 * hour.
 */
final class IssuerKeys implements JWKSource<SecurityContext> {
    /** Minimum time between two fetches. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    private static final int TIMEOUT_MS = 5_000;
    private static final int MAX_BYTES = 1 << 20;
    private static final long FRESH_MINUTES = 5;
    private static final Duration OUTAGE = Duration.ofHours(1);

    private final URL url;
    private final Duration pause;
    private final CountDownLatch tried = new CountDownLatch(1);
    private final Semaphore unknown = new Semaphore(0);
    private volatile JWKSet keys = new JWKSet();
    /** When the keys came, by the clock of {@link System#nanoTime}. */
    private volatile long time;

    private IssuerKeys(URL url, Duration pause) {
        this.url = url;
        this.pause = pause;
    }

    /** Starts to fetch keys, and waits a few seconds for the first ones. */
    static IssuerKeys fetch(URL url, Duration pause) throws InterruptedException {
        IssuerKeys keys = new IssuerKeys(url, pause);
        Thread thread = new Thread(keys::run, "parley-tap-keys");
        thread.setDaemon(true);
        thread.start();
        if (!keys.tried.await(TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
            Console.say("the keys at " + url + " take long; until they are there, tokens prove nothing");
        }
        return keys;
    }

    @Override
    public List<JWK> get(JWKSelector selector, SecurityContext context) {
        List<JWK> selected = System.nanoTime() - time < OUTAGE.toNanos() ? selector.select(keys) : List.of();
        if (selected.isEmpty() && unknown.availablePermits() == 0) {
            unknown.release();
        }
        return selected;
    }

    private void run() {
        DefaultResourceRetriever retriever = new DefaultResourceRetriever(TIMEOUT_MS, TIMEOUT_MS, MAX_BYTES);
        boolean isAway = false;
        try {
            while (true) {
                try {
                    keys = JWKSet.parse(retriever.retrieveResource(url).getContent());
                    time = System.nanoTime();
                    isAway = false;
                } catch (IOException | ParseException | RuntimeException e) {
                    // Whatever comes from the provider, the thread goes on.
                    if (!isAway) {
                        Console.say(
                                "cannot fetch the keys at " + url + "; tokens may prove nothing: " + Console.reason(e));
                    }
                    isAway = true;
                }
                tried.countDown();
                Thread.sleep(pause.toMillis());
                unknown.tryAcquire(FRESH_MINUTES, TimeUnit.MINUTES);
                unknown.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
