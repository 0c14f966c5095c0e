package dev.parley.server.tail;

import dev.parley.avro.AuditRecord;
import dev.parley.server.http.ResponseStream;
import dev.parley.server.tail.TailSource.Cursor;
import dev.parley.server.tail.TailSource.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the audit topic for one reader and writes server-sent events. It reads no further while the reader has not
 * taken what waits for it, and ends the stream if that takes too long.
 */
public final class TailReader implements Runnable {

    /** Interval of writes that keep a silent connection open, and find out that a reader has gone. */
    static final Duration HEARTBEAT = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(TailReader.class);
    private static final byte[] HEARTBEAT_BLOCK = ":\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Cursor cursor;
    private final TailFilter filter;
    private final Function<AuditRecord, Optional<String>> json;
    private final ResponseStream output;
    private final Limits limits;
    private volatile boolean stopping;

    /** Why the server ends a stream. The names are a public contract. */
    public enum End {
        /** The stream has lasted its maximum time. The reader's token is checked again when it reconnects. */
        RECONNECT("The stream has lasted its maximum time. Reconnect with Last-Event-ID."),
        /** The reader did not keep up. */
        SLOW_READER("The reader did not take the events in time. Read faster or filter more, and reconnect with"
                + " Last-Event-ID."),
        /** The instance is shutting down. */
        STOPPING("The instance is shutting down. Reconnect with Last-Event-ID."),
        /** The audit topic no longer has the next records. */
        EXPIRED("The audit topic no longer has the next records. Connect without Last-Event-ID."),
        /** Brokers, registry or views are unavailable. */
        UNAVAILABLE("Brokers, registry or views are unavailable. Reconnect with Last-Event-ID.");

        private final String detail;

        End(String detail) {
            this.detail = detail;
        }
    }

    /**
     * Limits of one stream.
     *
     * @param duration maximum duration
     * @param patience maximum time that a part waits for room
     */
    public record Limits(Duration duration, Duration patience) {}

    /**
     * @param cursor closed at the end
     * @param json the data of an event; empty if the record is not to be shown
     */
    public TailReader(
            Cursor cursor,
            TailFilter filter,
            Function<AuditRecord, Optional<String>> json,
            ResponseStream output,
            Limits limits) {
        this.cursor = cursor;
        this.filter = filter;
        this.json = json;
        this.output = output;
        this.limits = limits;
    }

    /** Ends the stream soon. */
    public void stop() {
        stopping = true;
    }

    /** Writes to the reader now, so that one that has gone is found out sooner. Does not wait. */
    public void probe() {
        output.offer(HEARTBEAT_BLOCK);
    }

    @Override
    public void run() {
        Optional<End> reason = Optional.of(End.UNAVAILABLE);
        try (Cursor closing = cursor) {
            reason = follow();
        } catch (TailEndException e) {
            LOG.warn("A tail ends: {}", e.getMessage());
            reason = Optional.of(e.end());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reason = Optional.of(End.STOPPING);
        } catch (RuntimeException e) {
            LOG.error("A tail ends with a failure", e);
        } finally {
            output.end(reason.map(TailReader::last).orElse(new byte[0]));
        }
    }

    /** Follows until the stream ends; empty if the reader has gone. */
    private Optional<End> follow() throws InterruptedException {
        long end = System.nanoTime() + limits.duration().toNanos();
        TailPosition told = cursor.position();
        // A reader that loses its connection before the first event resumes here.
        if (!send(id(told))) {
            return gone();
        }
        long written = System.nanoTime();
        while (!stopping) {
            if (!output.isOpen()) {
                return Optional.empty();
            }
            if (System.nanoTime() - end >= 0) {
                return Optional.of(End.RECONNECT);
            }
            for (Event event : cursor.poll(POLL, filter)) {
                if (stopping) {
                    return Optional.of(End.STOPPING);
                }
                Optional<String> data = json.apply(event.record());
                if (data.isEmpty()) {
                    continue;
                }
                if (!send(event("record", Optional.of(event.position()), data.get()))) {
                    return gone();
                }
                told = event.position();
                written = System.nanoTime();
            }
            if (System.nanoTime() - written >= HEARTBEAT.toNanos()) {
                TailPosition now = cursor.position();
                if (!send(now.equals(told) ? HEARTBEAT_BLOCK : id(now))) {
                    return gone();
                }
                told = now;
                written = System.nanoTime();
            }
        }
        return Optional.of(End.STOPPING);
    }

    private boolean send(byte[] part) throws InterruptedException {
        return output.offer(part, limits.patience());
    }

    /** Why a part was not taken. */
    private Optional<End> gone() {
        return output.isOpen() ? Optional.of(End.SLOW_READER) : Optional.empty();
    }

    /** A block that only moves the position; it is no event. */
    private static byte[] id(TailPosition position) {
        return ("id: " + position.text() + "\n\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] last(End end) {
        return event("end", Optional.empty(), "{\"reason\":\"" + end + "\",\"detail\":\"" + end.detail + "\"}");
    }

    private static byte[] event(String name, Optional<TailPosition> position, String data) {
        return ("event: " + name + '\n'
                        + position.map(id -> "id: " + id.text() + '\n').orElse("")
                        + "data: " + data + "\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }
}
