package dev.parley.server.http;

import dev.parley.logging.LogThrottle;
import dev.parley.server.health.Readiness;
import dev.parley.server.health.Readiness.Status;
import dev.parley.server.http.ProblemException.Code;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.ThreadUtils;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers health checks on a listener of its own, so that they get a response whatever the load of the HTTP API: over
 * plain HTTP without tokens, with a status without details, and from the last check. Checks run at a fixed interval,
 * because they may take time and requests may come at any rate.
 */
public final class HealthServer extends Handler.Abstract.NonBlocking {

    private static final Logger LOG = LoggerFactory.getLogger(HealthServer.class);
    private static final int THREADS = 6;
    private static final HttpSecurity.Connections CONNECTIONS =
            new HttpSecurity.Connections(64, 48, 2_000, 2_000, 2_000, 2_000, 4 << 10);
    private static final long INTERVAL_MS = 500;
    /** Maximum age of the last readiness check; older ones count as not ready. */
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ConnectionGuard guard;
    private final Readiness readiness;
    private final LongSupplier nanos;
    private final LogThrottle failures = new LogThrottle();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
            ThreadUtils.createThreadFactory("parley-health-readiness", true));
    private volatile Check last;

    private HealthServer(ConnectionGuard guard, Readiness readiness, LongSupplier nanos) {
        this.guard = guard;
        this.readiness = readiness;
        this.nanos = nanos;
        this.last = new Check(false, nanos.getAsLong());
    }

    /**
     * Starts listening on a bound address, which the listener releases when it stops.
     *
     * @param readiness its vital parts decide liveness, and all its parts readiness
     * @param nanos clock of the age of readiness checks
     */
    public static HttpListener start(BoundAddress boundAddress, Readiness readiness, LongSupplier nanos) {
        return HttpListener.plain(
                "health", boundAddress, THREADS, CONNECTIONS, guard -> new HealthServer(guard, readiness, nanos));
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        executor.scheduleWithFixedDelay(this::check, 0, INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void doStop() throws Exception {
        executor.shutdownNow();
        super.doStop();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Exchange exchange = Exchange.start(request, guard);
        if (ExchangeHandler.hasBody(request)
                || !HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
            return refuse(response, callback, Code.INVALID_REQUEST);
        }
        boolean up;
        switch (Request.getPathInContext(request)) {
            case Route.LIVE -> up = readiness.vital().stream().allMatch(part -> part.status() != Status.FAILED);
            case Route.READY -> up = isReady();
            default -> {
                return refuse(response, callback, Code.UNKNOWN_PATH);
            }
        }
        byte[] body = ("{\"status\":\"" + (up ? "UP" : "DOWN") + "\"}").getBytes(StandardCharsets.US_ASCII);
        response.setStatus(up ? HttpStatus.OK_200 : HttpStatus.SERVICE_UNAVAILABLE_503);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        exchange.write(response, true, ByteBuffer.wrap(body), callback);
        return true;
    }

    private static boolean refuse(Response response, Callback callback, Code code) {
        ProblemHandler.write(
                response,
                callback,
                code.problem(
                        "This listener serves GET " + Route.LIVE + " and GET " + Route.READY + ", without a body."));
        return true;
    }

    private boolean isReady() {
        Check check = last;
        return check.ready() && nanos.getAsLong() - check.time() < MAX_AGE_NANOS;
    }

    private void check() {
        boolean ready = false;
        try {
            ready = readiness.parts().stream().allMatch(Readiness.Part::isReady);
        } catch (RuntimeException e) {
            failures.log(repeated -> LOG.error(
                    "Cannot check readiness; readiness probes get {} until it succeeds.",
                    HttpStatus.SERVICE_UNAVAILABLE_503,
                    e));
        }
        last = new Check(ready, nanos.getAsLong());
    }

    /** A result of {@link Readiness}, and its time in {@link System#nanoTime}. */
    private record Check(boolean ready, long time) {}
}
