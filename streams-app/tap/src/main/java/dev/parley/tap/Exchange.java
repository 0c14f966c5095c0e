package dev.parley.tap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;

/**
 * Records one HTTP request and its response. Each part is recorded before its last byte passes, so that what follows
 * from it is recorded later. Thread-safe.
 */
final class Exchange {
    private static final String SESSION = "mcp-session-id";
    private static final String PARAMETER = "mcp-param-";
    /** Maximum bytes of the value of a header. */
    static final int MAX_VALUE_BYTES = 8 << 10;

    private static final int MAX_HEADERS_BYTES = 64 << 10;
    private static final int SUCCESS = 200;
    private static final int REDIRECTION = 300;
    private static final byte[] INITIALIZE = Captured.utf8("\"initialize\"");

    private final Outbox outbox;
    private final AtomicLong budget;
    private final String peers;
    private final String id;
    private final String method;
    private final Map<String, String> requestHeaders = new LinkedHashMap<>();
    private final Map<String, String> responseHeaders = new LinkedHashMap<>();
    private final long requestLength;
    private final Copy request;
    private final Copy response;
    /** Record key; null until the answer to a request without a session tells it. */
    private String key;

    private boolean isRequestRead;
    private boolean isRequestRecorded;
    private boolean isResponseRecorded;
    private boolean isEnded;
    private long expected;
    private Events events;
    private Decompression decompression;
    private boolean isUnreadable;

    /**
     * Creates it with the line and the headers of the request.
     *
     * @param budget bytes left for the copies of all exchanges
     * @param peers record key of requests without a session: client and server
     * @param id value that no other exchange has
     * @param caller headers about the caller
     */
    Exchange(
            Outbox outbox,
            AtomicLong budget,
            String peers,
            String id,
            String method,
            HttpURI uri,
            HttpFields headers,
            Map<String, String> caller) {
        this.outbox = outbox;
        this.budget = budget;
        this.peers = peers;
        this.id = id;
        this.method = method;
        this.requestLength = headers.getLongField(HttpHeader.CONTENT_LENGTH);
        this.request = new Copy(Tap.MAX_MESSAGE_BYTES, budget);
        this.response = new Copy(Tap.MAX_MESSAGE_BYTES, budget);
        requestHeaders.putAll(caller);
        requestHeaders.put("parley-exchange", id);
        requestHeaders.put("parley-http-method", method);
        requestHeaders.put("parley-http-path", uri.getPath());
        if (uri.getQuery() != null) {
            requestHeaders.put("parley-http-query", withoutCredentials(uri.getQuery()));
        }
        for (HttpField field : headers) {
            String name = field.getLowerCaseName();
            switch (name) {
                case "mcp-protocol-version", "mcp-method", "mcp-name", "last-event-id" ->
                    requestHeaders.put(name, value(field));
                case SESSION -> {
                    requestHeaders.put(name, hash(value(field)));
                    key = "http-" + hash(value(field));
                }
                default -> {
                    if (name.startsWith(PARAMETER)) {
                        requestHeaders.put(name, value(field));
                    }
                }
            }
        }
    }

    private static String value(HttpField field) {
        return field.getValue() == null ? "" : field.getValue();
    }

    /** The parameters whose names are not those of credentials. */
    static String withoutCredentials(String query) {
        StringBuilder left = new StringBuilder();
        int start = 0;
        while (start <= query.length()) {
            int end = query.indexOf('&', start);
            end = end < 0 ? query.length() : end;
            int equals = query.indexOf('=', start);
            String name = query.substring(start, equals < 0 || equals > end ? end : equals)
                    .toLowerCase(Locale.ROOT);
            // An escaped name may hide one of these.
            boolean isSecret = name.indexOf('%') >= 0;
            for (String part :
                    new String[] {"session", "token", "key", "secret", "pass", "auth", "code", "sig", "sid"}) {
                isSecret |= name.contains(part);
            }
            if (!isSecret) {
                left.append(left.length() == 0 ? "" : "&").append(query, start, end);
            }
            start = end + 1;
        }
        return left.toString();
    }

    static String hash(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java has SHA-256", e);
        }
    }

    /** Copies a part of the body of the request, before it passes. */
    synchronized void request(ByteBuffer bytes, boolean isLast) {
        byte[] copy = array(bytes);
        request.add(copy, 0, copy.length);
        if (isLast || request.total() == requestLength) {
            requestRead();
        }
    }

    /** Notes that the body of the request is complete, or that there is none. */
    synchronized void requestRead() {
        isRequestRead = true;
        if (key != null) {
            recordRequest(Map.of());
        }
    }

    private void recordRequest(Map<String, String> mark) {
        if (isRequestRead && !isRequestRecorded) {
            isRequestRecorded = true;
            record(Direction.CLIENT_TO_SERVER, request, requestHeaders, mark);
        }
    }

    /** Reads status and headers of the response, before they pass. */
    synchronized void response(int status, HttpFields headers) {
        responseHeaders.put("parley-exchange", id);
        responseHeaders.put("parley-http-status", Integer.toString(status));
        String session = headers.get(SESSION);
        if (session != null) {
            responseHeaders.put(SESSION, hash(session));
        }
        if (key == null) {
            key = session == null ? peers : "http-" + hash(session);
            boolean isStart = session != null && isRequestRead && contains(request.from(0), INITIALIZE);
            recordRequest(isStart ? Map.of("parley-capture", "start") : Map.of());
        }
        isEnded = method.equals("DELETE") && status >= SUCCESS && status < REDIRECTION;
        expected = headers.getLongField(HttpHeader.CONTENT_LENGTH);
        String type = headers.get(HttpHeader.CONTENT_TYPE);
        if (isEventStream(type)) {
            events = new Events(Tap.MAX_MESSAGE_BYTES, budget, this::event, length -> outbox.lose(key, 1, length));
        }
        String encoding = headers.get(HttpHeader.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            decompression = Decompression.of(encoding, this::decoded);
            isUnreadable = decompression == null;
        }
    }

    static boolean isEventStream(String contentType) {
        return contentType != null && contentType.toLowerCase(Locale.ROOT).startsWith("text/event-stream");
    }

    private void event(byte[] data) {
        if (isAllowed(responseHeaders)) {
            outbox.offer(key, Direction.SERVER_TO_CLIENT, data, () -> responseHeaders);
        } else {
            outbox.lose(key, 1, data.length);
        }
    }

    /** Copies a part of the body of the response, before it passes. */
    synchronized void content(ByteBuffer bytes) {
        byte[] copy = array(bytes);
        expected -= copy.length;
        if (copy.length > 0 && !isUnreadable) {
            if (decompression == null) {
                decoded(copy, 0, copy.length);
            } else {
                isUnreadable = !decompression.accept(copy, copy.length);
            }
            if (isUnreadable && events != null) {
                outbox.lose(key, 1, copy.length);
            }
        } else if (isUnreadable && events == null) {
            response.add(copy, 0, copy.length);
        } else if (isUnreadable && copy.length > 0) {
            outbox.lose(key, 0, copy.length);
        }
        if (expected == 0) {
            responseRead();
        }
    }

    private void decoded(byte[] bytes, int from, int to) {
        if (events == null) {
            response.add(bytes, from, to - from);
        } else {
            events.accept(bytes, from, to);
        }
    }

    /** Notes that the response is complete, before its end passes. */
    synchronized void responseRead() {
        if (events == null && !isResponseRecorded) {
            isResponseRecorded = true;
            if (isUnreadable) {
                outbox.lose(key, 1, response.total());
            } else {
                Map<String, String> mark = isEnded ? Map.of("parley-capture", "end") : Map.of();
                record(Direction.SERVER_TO_CLIENT, response, responseHeaders, mark);
            }
        }
    }

    /** Ends the exchange, complete or not, and returns its memory. */
    synchronized void close() {
        if (key == null) {
            key = peers;
        }
        recordRequest(Map.of());
        if (!isRequestRecorded && request.total() > 0) {
            outbox.lose(key, 1, request.total());
        }
        if (events == null && !isResponseRecorded && response.total() > 0) {
            outbox.lose(key, 1, response.total());
        }
        request.free();
        response.free();
        if (events != null) {
            events.free();
        }
        if (decompression != null) {
            decompression.free();
        }
    }

    private void record(Direction direction, Copy body, Map<String, String> headers, Map<String, String> mark) {
        if (body.isDropped() || !isAllowed(headers)) {
            outbox.lose(key, 1, body.total());
        } else {
            headers.putAll(mark);
            outbox.offer(key, direction, body.total() == 0 ? null : body.from(0), () -> headers);
        }
        body.free();
    }

    /** Whether a record may have these headers. One without some of them would be judged wrongly. */
    private static boolean isAllowed(Map<String, String> headers) {
        long bytes = 0;
        boolean isAllowed = true;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            int length = Captured.utf8(header.getValue()).length;
            bytes += header.getKey().length() + length;
            isAllowed &= length <= MAX_VALUE_BYTES && header.getValue().chars().noneMatch(Character::isISOControl);
        }
        return isAllowed && bytes <= MAX_HEADERS_BYTES;
    }

    private static boolean contains(byte[] bytes, byte[] text) {
        int matched = 0;
        for (int i = 0; i < bytes.length && matched < text.length; i++) {
            matched = bytes[i] == text[matched] ? matched + 1 : bytes[i] == text[0] ? 1 : 0;
        }
        return matched == text.length;
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }
}
