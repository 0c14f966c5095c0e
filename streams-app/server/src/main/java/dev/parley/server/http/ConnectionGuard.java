package dev.parley.server.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.MinimumDataRateHandler;
import org.eclipse.jetty.util.component.AbstractLifeCycle;

/**
 * Limits the number of connections, and the time of each phase of a connection: TLS handshake and headers together,
 * body, response, and the time between requests. If there are too many connections, of one network or in total, it
 * closes the oldest one without a request in progress. Thread-safe.
 *
 * <p>Jetty's own limits protect less: {@link NetworkConnectionLimit} stops accepting connections, of all clients, and
 * {@link MinimumDataRateHandler} has no deadline for a body that stalls and no grace for a small response.
 */
final class ConnectionGuard extends AbstractLifeCycle implements Connection.Listener {

    private static final long SWEEP_INTERVAL_MS = 100;
    /** Maximum unsent bytes of responses; beyond it, the response that was started first is aborted. */
    private static final long MAX_UNSENT_BYTES = Runtime.getRuntime().maxMemory() / 8;

    private static final int NETWORK_BYTES = 8;

    private final HttpSecurity.Connections limits;
    private final Server server;
    /** In order of opening, by their sockets. */
    private final Map<EndPoint, Tracked> connections = new LinkedHashMap<>();

    private final Map<String, Integer> networks = new HashMap<>();
    private long unsentBytes;

    /** Whether a sweep is scheduled: while there are connections. */
    private boolean sweeping;

    /** Guards all connectors of a server from its start to its stop. */
    ConnectionGuard(HttpSecurity.Connections limits, Server server) {
        this.limits = limits;
        this.server = server;
        server.addBean(this);
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

    /** The connection of a request; if it is no longer tracked, one without limits. */
    Tracked of(Request request) {
        Connection connection = request.getConnectionMetaData().getConnection();
        // With TLS there are two connections, one within the other; the outer one has the socket.
        EndPoint endPoint =
                connection.getEndPoint() instanceof EndPoint.Wrapper inner ? inner.unwrap() : connection.getEndPoint();
        synchronized (this) {
            Tracked tracked = connections.get(endPoint);
            return tracked == null ? new Tracked(connection) : tracked;
        }
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection.getEndPoint() instanceof EndPoint.Wrapper) {
            return;
        }
        Tracked tracked = new Tracked(connection);
        Tracked victim;
        boolean first;
        synchronized (this) {
            first = !sweeping;
            sweeping = true;
            victim = victim(tracked.network);
            connections.put(tracked.endPoint(), tracked);
            networks.merge(tracked.network, 1, Integer::sum);
            if (victim != null) {
                untrack(victim);
            }
            if (victim == null && isOver(tracked.network)) {
                untrack(tracked);
                victim = tracked;
            }
        }
        if (first) {
            schedule();
        }
        if (victim != null) {
            victim.close();
        }
    }

    @Override
    public void onClosed(Connection connection) {
        synchronized (this) {
            Tracked tracked = connections.get(connection.getEndPoint());
            if (tracked != null) {
                untrack(tracked);
            }
        }
    }

    @Override
    protected void doStart() {
        for (Connector connector : server.getConnectors()) {
            connector.addBean(this);
        }
    }

    private void schedule() {
        server.getScheduler().schedule(this::sweep, SWEEP_INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    private static String networkOf(SocketAddress remote) {
        if (!(remote instanceof InetSocketAddress socket)) {
            return "";
        }
        InetAddress address = socket.getAddress();
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(address.getAddress(), 0, NETWORK_BYTES)
                : address.getHostAddress();
    }

    private boolean isOver(String network) {
        return connections.size() > limits.total() || networks.getOrDefault(network, 0) > limits.perAddress();
    }

    /** The connection to close for a new one of a network; null if there is room, or if none can be closed. */
    private Tracked victim(String network) {
        if (networks.getOrDefault(network, 0) >= limits.perAddress()) {
            return oldest(tracked -> tracked.network.equals(network));
        }
        return connections.size() >= limits.total() ? oldest(tracked -> true) : null;
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
        if (connections.remove(tracked.endPoint(), tracked)) {
            networks.computeIfPresent(tracked.network, (name, count) -> count == 1 ? null : count - 1);
            tracked.setUnsent(0);
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        List<Tracked> expired;
        boolean more;
        synchronized (this) {
            connections.values().forEach(tracked -> tracked.startHeaderDeadline(now));
            expired = connections.values().stream()
                    .filter(tracked -> tracked.deadline - now < 0)
                    .toList();
            more = isRunning() && !connections.isEmpty();
            sweeping = more;
        }
        expired.forEach(Tracked::close);
        if (more) {
            schedule();
        }
    }

    /** A connection, its phase, and its deadline. */
    final class Tracked {
        private final Connection connection;
        private final String network;
        private Exchange current;
        private Phase phase = Phase.CONNECTING;
        private long deadline;
        private long bytesIn;
        private int unsent;

        private Tracked(Connection connection) {
            this.connection = connection;
            this.network = networkOf(connection.getEndPoint().getRemoteSocketAddress());
            this.deadline = deadlineIn(limits.headerMs());
        }

        private EndPoint endPoint() {
            return connection.getEndPoint();
        }

        /** The network to which limits per address apply: an IPv4 address, or an IPv6 /64, which one client may own. */
        String network() {
            return network;
        }

        boolean isOpen() {
            return endPoint().isOpen();
        }

        void begin(Exchange exchange) {
            synchronized (ConnectionGuard.this) {
                current = exchange;
                handling();
            }
        }

        /** Starts the deadline of a request's body. */
        void readingBody(long bytes) {
            setPhase(Phase.READING, deadlineIn(limits.bodyMs() + transferMs(bytes)));
        }

        /** Ends the deadline of the body. */
        void handling() {
            // The handlers of requests have their own deadlines.
            setPhase(Phase.HANDLING, deadlineIn(TimeUnit.DAYS.toMillis(1)));
        }

        boolean writing(int bytes) {
            Tracked slowest = null;
            synchronized (ConnectionGuard.this) {
                setPhase(Phase.WRITING, deadlineIn(limits.responseMs() + transferMs(bytes)));
                setUnsent(bytes);
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
                setUnsent(0);
                handling();
            }
        }

        void end(Exchange exchange) {
            synchronized (ConnectionGuard.this) {
                if (current != exchange) {
                    return;
                }
                current = null;
                setUnsent(0);
                bytesIn = connection.getBytesIn();
                setPhase(Phase.IDLE, deadlineIn(limits.idleMs()));
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
            if (phase == Phase.IDLE && connection.getBytesIn() > bytesIn) {
                phase = Phase.CONNECTING;
                deadline = Math.min(deadline, now + TimeUnit.MILLISECONDS.toNanos(limits.headerMs()));
            }
        }

        private void setUnsent(int bytes) {
            unsentBytes += bytes - unsent;
            unsent = bytes;
        }

        private void close() {
            endPoint().close();
        }

        private long deadlineIn(long ms) {
            return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        }

        private long transferMs(long bytes) {
            return TimeUnit.SECONDS.toMillis(bytes) / limits.bytesPerSecond();
        }
    }
}
