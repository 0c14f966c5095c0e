package dev.parley.server.http;

import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;

/** One request and its response, from complete headers until the response has been sent. Thread-safe. */
public final class Exchange {

    static final String ATTRIBUTE = Exchange.class.getName();

    private final ConnectionGuard.Tracked connection;
    private final List<Runnable> atEnd = new ArrayList<>();
    private boolean ended;
    private final List<Runnable> atStreamStart = new ArrayList<>();
    private volatile int status;
    private volatile String conversation;
    private ResponseStream stream;

    Exchange(ConnectionGuard.Tracked connection) {
        this.connection = connection;
        connection.begin(this);
    }

    public static Exchange of(Context request) {
        return request.attribute(ATTRIBUTE);
    }

    /** Runs an action when the exchange ends; immediately if it has ended. */
    void atEnd(Runnable action) {
        synchronized (this) {
            if (!ended) {
                atEnd.add(action);
                return;
            }
        }
        action.run();
    }

    /** Runs an action when the response, a stream, starts; its status is then known. */
    synchronized void atStreamStart(Runnable action) {
        atStreamStart.add(action);
    }

    /** The response, a stream, starts. */
    void streamStarts() {
        List<Runnable> actions;
        synchronized (this) {
            actions = List.copyOf(atStreamStart);
        }
        actions.forEach(Runnable::run);
    }

    /** Makes the response a stream. */
    synchronized void stream(ResponseStream streamed) {
        stream = streamed;
    }

    /** The stream that the response is; null for any other response. */
    synchronized ResponseStream stream() {
        return stream;
    }

    /** Whether the client can still receive the response. */
    public synchronized boolean isOpen() {
        return !ended && connection.isOpen();
    }

    /** Notes the status of the response before it is sent. */
    void answered(int responseStatus) {
        status = responseStatus;
    }

    /** Status of the response; 0 before it is sent. */
    int status() {
        return status;
    }

    /** Notes the conversation that the request reads, for the access log. */
    public void reads(String chain) {
        conversation = chain;
    }

    /** Name of the audit chain that the request reads; null if it is not about one. */
    String conversation() {
        return conversation;
    }

    /** Whether the response has been sent or has failed. */
    synchronized boolean hasEnded() {
        return ended;
    }

    /** Starts the deadline of the request's body. */
    void readingBody(long bytes) {
        connection.readingBody(bytes);
    }

    /** Ends the deadline of the body. */
    void handling() {
        connection.handling();
    }

    /** Ends the deadline of a part of a stream. */
    void wrote() {
        connection.wrote();
    }

    /** Starts the deadline of the response; false if there are too many unsent bytes. */
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
