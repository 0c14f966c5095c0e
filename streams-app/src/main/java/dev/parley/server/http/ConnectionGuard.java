package dev.parley.server.http;

import java.net.SocketAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SelectableChannelEndPoint;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Limits the number of connections, and the time of each phase of a connection: TLS handshake and headers together,
 * body, response, and the time between requests. If there are too many connections, of one network or in total, it
 * closes the oldest one without a request in progress. Thread-safe.
 */
final class ConnectionGuard extends AbstractLifeCycle implements Connection.Listener {

    private static final long SWEEP_INTERVAL_MS = 100;
    /** Maximum unsent bytes of responses; beyond it, the response that was started first is aborted. */
    private static final long MAX_UNSENT_BYTES = Runtime.getRuntime().maxMemory() / 8;

    private final HttpSecurity.Limits limits;
    private final Scheduler scheduler;
    /** In order of opening. */
    private final Map<Connection, Tracked> connections = new LinkedHashMap<>();

    private final Map<SocketAddress, Tracked> byRemote = new HashMap<>();
    private final Map<String, Integer> networks = new HashMap<>();
    private long unsentBytes;
    private volatile boolean running;

    ConnectionGuard(HttpSecurity.Limits limits, Scheduler scheduler) {
        this.limits = limits;
        this.scheduler = scheduler;
    }

    private enum Phase {
        /** The client has not sent complete headers since it connected. */
        CONNECTING,
        /** Between two requests, or within the headers of a later one. */
        IDLE,
        READING,
        HANDLING,
        WRITING
    }

    /** The connection of a request; if it is no longer tracked, one without effect. */
    Tracked of(SocketAddress remote) {
        synchronized (this) {
            Tracked tracked = byRemote.get(remote);
            return tracked == null ? new Tracked(null, null) : tracked;
        }
    }

    @Override
    public void onOpened(Connection connection) {
        // With TLS there are two connections, one within the other; the outer one has the socket.
        if (!(connection.getEndPoint() instanceof SelectableChannelEndPoint)) {
            return;
        }
        SocketAddress remote = connection.getEndPoint().getRemoteSocketAddress();
        Tracked tracked = new Tracked(connection, remote);
        Tracked victim;
        synchronized (this) {
            victim = victim(tracked.network);
            connections.put(connection, tracked);
            byRemote.put(remote, tracked);
            networks.merge(tracked.network, 1, Integer::sum);
            if (victim != null) {
                untrack(victim);
            }
            if (victim == null && isOver(tracked.network)) {
                untrack(tracked);
                victim = tracked;
            }
        }
        if (victim != null) {
            victim.close();
        }
    }

    @Override
    public void onClosed(Connection connection) {
        synchronized (this) {
            Tracked tracked = connections.get(connection);
            if (tracked != null) {
                untrack(tracked);
            }
        }
    }

    @Override
    protected void doStart() {
        running = true;
        scheduler.schedule(this::sweep, SWEEP_INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void doStop() {
        running = false;
    }

    private boolean isOver(String network) {
        return connections.size() > limits.connections()
                || networks.getOrDefault(network, 0) > limits.shares().addressConnections();
    }

    /** The connection to close for a new one of a network; null if there is room, or if none can be closed. */
    private Tracked victim(String network) {
        if (networks.getOrDefault(network, 0) >= limits.shares().addressConnections()) {
            return oldest(tracked -> tracked.network.equals(network));
        }
        return connections.size() >= limits.connections() ? oldest(tracked -> true) : null;
    }

    private Tracked oldest(Predicate<Tracked> candidates) {
        for (Phase phase : List.of(Phase.CONNECTING, Phase.READING, Phase.IDLE)) {
            for (Tracked tracked : connections.values()) {
                if (tracked.phase == phase && candidates.test(tracked)) {
                    return tracked;
                }
            }
        }
        return null;
    }

    private void untrack(Tracked tracked) {
        if (connections.remove(tracked.connection, tracked)) {
            byRemote.remove(tracked.remote, tracked);
            networks.computeIfPresent(tracked.network, (name, count) -> count == 1 ? null : count - 1);
            unsentBytes -= tracked.unsent;
            tracked.unsent = 0;
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        List<Tracked> expired;
        synchronized (this) {
            connections.values().forEach(tracked -> tracked.startHeaderDeadline(now));
            expired = connections.values().stream()
                    .filter(tracked -> tracked.deadline - now < 0)
                    .toList();
        }
        expired.forEach(Tracked::close);
        if (running) {
            scheduler.schedule(this::sweep, SWEEP_INTERVAL_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** A connection, its phase, and its deadline. */
    final class Tracked {
        private final Connection connection;
        private final SocketAddress remote;
        private final String network;
        private Exchange current;
        private Phase phase = Phase.CONNECTING;
        private long deadline;
        private long bytesIn;
        private long unsent;

        private Tracked(Connection connection, SocketAddress remote) {
            this.connection = connection;
            this.remote = remote;
            this.network = RemoteNetwork.of(remote);
            this.deadline = deadlineIn(limits.deadlines().headerMs());
        }

        boolean isOpen() {
            return connection == null || connection.getEndPoint().isOpen();
        }

        void begin(Exchange exchange) {
            synchronized (ConnectionGuard.this) {
                current = exchange;
                handling();
            }
        }

        void readingBody(long bytes) {
            setPhase(Phase.READING, deadlineIn(limits.deadlines().bodyMs() + transferMs(bytes)));
        }

        void handling() {
            // The handlers of requests have their own deadlines.
            setPhase(Phase.HANDLING, deadlineIn(TimeUnit.DAYS.toMillis(1)));
        }

        boolean writing(int bytes) {
            Tracked slowest = null;
            synchronized (ConnectionGuard.this) {
                setPhase(Phase.WRITING, deadlineIn(limits.deadlines().responseMs() + transferMs(bytes)));
                unsentBytes -= unsent;
                unsent = bytes;
                unsentBytes += bytes;
                if (unsentBytes > MAX_UNSENT_BYTES) {
                    slowest = connections.values().stream()
                            .filter(tracked -> tracked.phase == Phase.WRITING)
                            .min((a, b) -> Long.signum(a.deadline - b.deadline))
                            .orElse(null);
                }
            }
            if (slowest != null) {
                slowest.close();
            }
            return slowest != this;
        }

        void wrote() {
            synchronized (ConnectionGuard.this) {
                unsentBytes -= unsent;
                unsent = 0;
                handling();
            }
        }

        void end(Exchange exchange) {
            synchronized (ConnectionGuard.this) {
                if (current != exchange) {
                    return;
                }
                current = null;
                unsentBytes -= unsent;
                unsent = 0;
                bytesIn = received();
                setPhase(Phase.IDLE, deadlineIn(limits.deadlines().idleMs()));
            }
        }

        private void setPhase(Phase next, long nextDeadline) {
            synchronized (ConnectionGuard.this) {
                phase = next;
                deadline = nextDeadline;
            }
        }

        /** The first bytes of a later request start the deadline of its headers. */
        private void startHeaderDeadline(long now) {
            if (phase == Phase.IDLE && received() > bytesIn) {
                phase = Phase.CONNECTING;
                deadline = Math.min(
                        deadline,
                        now + TimeUnit.MILLISECONDS.toNanos(limits.deadlines().headerMs()));
            }
        }

        private long received() {
            return connection == null ? 0 : connection.getBytesIn();
        }

        private void close() {
            if (connection != null) {
                connection.getEndPoint().close();
            }
        }

        private long deadlineIn(long ms) {
            return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        }

        private long transferMs(long bytes) {
            return TimeUnit.SECONDS.toMillis(bytes) / limits.deadlines().bytesPerSecond();
        }
    }
}
