package dev.parley.query.http;

import java.util.ArrayList;
import java.util.List;

/** One request and its response, from complete headers to the last byte of the response. Thread-safe. */
public final class Exchange {

    private static final String ATTRIBUTE = Exchange.class.getName();

    private final ConnectionGuard.Tracked connection;
    private final List<Runnable> atEnd = new ArrayList<>();
    private boolean ended;

    Exchange(ConnectionGuard.Tracked connection) {
        this.connection = connection;
        connection.begin(this);
    }

    /** Name of the request attribute that holds the exchange. */
    public static String attribute() {
        return ATTRIBUTE;
    }

    /** Runs an action when the response has been sent or has failed; at once if that was so already. */
    void atEnd(Runnable action) {
        synchronized (this) {
            if (!ended) {
                atEnd.add(action);
                return;
            }
        }
        action.run();
    }

    /** Whether the response has neither been sent nor failed. */
    public synchronized boolean isOpen() {
        return !ended && connection.isOpen();
    }

    /** Whether the response has been sent or has failed. */
    synchronized boolean hasEnded() {
        return ended;
    }

    /** The request's body is awaited now. */
    void readingBody(long bytes) {
        connection.readingBody(bytes);
    }

    /** The request is being handled now. */
    void handling() {
        connection.handling();
    }

    /** The response is being sent now; false if there is no room for it. */
    boolean writing(int bytes) {
        return connection.writing(bytes);
    }

    void end() {
        List<Runnable> actions;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            actions = List.copyOf(atEnd);
        }
        connection.end(this);
        actions.forEach(Runnable::run);
    }
}
