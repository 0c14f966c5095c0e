package dev.parley.tap;

import dev.parley.codec.Ascii;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.jsonrpc.CaptureHeaders;
import dev.parley.codec.jsonrpc.JsonRpcDetection;
import dev.parley.encoding.Sha256;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;

/**
 * Records one HTTP request and its response. Each part is recorded before its last byte passes, so that what follows
 * from it is recorded later. Thread-safe.
 */
final class Exchange {
    private static final String SESSION = "mcp-session-id";
    private static final String MARK = "parley-capture";
    private static final String METHOD = "parley-http-method";
    private static final List<String> SECRETS =
            List.of("session", "token", "key", "secret", "pass", "auth", "code", "sig", "sid", "%");
    /** They may be sessions. */
    private static final Pattern PATH_PARAMETERS = Pattern.compile(";[^/]*");

    private static final int MAX_HEADERS_BYTES = 64 << 10;
    private static final String INITIALIZE = "\"initialize\"";

    private final Outbox outbox;
    private final AtomicLong budget;
    private final String peers;
    private final Map<String, String> requestHeaders = new LinkedHashMap<>();
    private final Map<String, String> responseHeaders = new LinkedHashMap<>();
    private final long requestLength;
    private final Copy request;
    private final Copy response;
    private final Decompression requestBody;
    /** Null before the headers of the response. */
    private Decompression responseBody;

    /** Record key; null until the answer to a request without a session tells it. */
    private String key;

    private boolean isRequestRead;
    private boolean isRequestRecorded;
    private boolean isResponseRecorded;
    private boolean isEnded;
    private boolean isClosed;
    /** Bytes of an unreadable stream whose loss is recorded. */
    private long lost;

    private long expected;
    /** Null for a response that is no stream. */
    private Events events;

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
        this.requestLength = headers.getLongField(HttpHeader.CONTENT_LENGTH);
        this.request = new Copy(Tap.MAX_MESSAGE_BYTES, budget);
        this.response = new Copy(Tap.MAX_MESSAGE_BYTES, budget);
        this.requestBody = Decompression.of(headers.getValuesList(HttpHeader.CONTENT_ENCODING), request::add);
        responseHeaders.put("parley-exchange", id);
        if (headers.contains(RecordHeaders.TRACEPARENT)) {
            responseHeaders.put(RecordHeaders.TRACEPARENT, headers.get(RecordHeaders.TRACEPARENT));
        }
        requestHeaders.putAll(responseHeaders);
        requestHeaders.putAll(caller);
        requestHeaders.put(METHOD, method);
        requestHeaders.put(
                "parley-http-path", PATH_PARAMETERS.matcher(uri.getPath()).replaceAll(""));
        if (uri.getQuery() != null) {
            requestHeaders.put("parley-http-query", withoutCredentials(uri.getQuery()));
        }
        for (HttpField field : headers) {
            String name = field.getLowerCaseName();
            if (CaptureHeaders.isNamed(name) && !name.startsWith("parley-")) {
                String value = field.getValue() == null ? "" : field.getValue();
                requestHeaders.put(name, name.equals(SESSION) ? hash(value) : value);
            }
        }
        if (requestHeaders.containsKey(SESSION)) {
            key = "http-" + requestHeaders.get(SESSION);
        }
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
            if (SECRETS.stream().noneMatch(name::contains)) {
                left.append(left.length() == 0 ? "" : "&").append(query, start, end);
            }
            start = end + 1;
        }
        return left.toString();
    }

    static String hash(String text) {
        return HexFormat.of().formatHex(Sha256.of(Captured.utf8(text)));
    }

    /** Copies a part of the body of the request, before it passes. */
    synchronized void request(ByteBuffer bytes, boolean isLast) {
        if (isClosed) {
            return;
        }
        requestBody.accept(array(bytes), bytes.remaining());
        if (isLast || requestBody.total() == requestLength) {
            requestRead();
        }
    }

    /** Notes that the body of the request is complete, or that there is none. */
    synchronized void requestRead() {
        isRequestRead = true;
        if (key != null) {
            recordRequest();
        }
    }

    private void recordRequest() {
        if (isRequestRead && !isRequestRecorded) {
            isRequestRecorded = true;
            record(Direction.CLIENT_TO_SERVER, request, requestBody, requestHeaders);
        }
    }

    /** Reads status and headers of the response, before they pass. */
    synchronized void response(int status, HttpFields headers) {
        responseHeaders.put("parley-http-status", Integer.toString(status));
        String session = headers.get(SESSION);
        if (session != null) {
            responseHeaders.put(SESSION, hash(session));
        }
        if (key == null) {
            key = session == null ? peers : "http-" + hash(session);
            if (session != null && isInitialize(request.from(0))) {
                requestHeaders.put(MARK, "start");
            }
            recordRequest();
        }
        isEnded = requestHeaders.get(METHOD).equals("DELETE") && HttpStatus.isSuccess(status);
        expected = headers.getLongField(HttpHeader.CONTENT_LENGTH);
        String type = headers.get(HttpHeader.CONTENT_TYPE);
        if (type != null && type.toLowerCase(Locale.ROOT).startsWith("text/event-stream")) {
            events = new Events(
                    Tap.MAX_MESSAGE_BYTES,
                    budget,
                    data -> {
                        beforeResponse();
                        record(Direction.SERVER_TO_CLIENT, data, responseHeaders);
                    },
                    length -> outbox.lose(key, 1, length));
        }
        responseBody = Decompression.of(
                headers.getValuesList(HttpHeader.CONTENT_ENCODING), events == null ? response::add : events::accept);
    }

    private static boolean isInitialize(byte[] body) {
        int from = Ascii.skipSpaces(body, 0);
        AtomicBoolean isInitialize = new AtomicBoolean();
        if (from < body.length) {
            JsonRpcDetection.isMessage(body, from, method -> {
                isInitialize.set(Ascii.startsWith(body, method, INITIALIZE));
                return isInitialize.get();
            });
        }
        return isInitialize.get();
    }

    /** Whether the response is a stream of events; known after its headers. */
    synchronized boolean isStream() {
        return events != null;
    }

    /** Copies a part of the body of the response, before it passes. */
    synchronized void content(ByteBuffer bytes) {
        if (isClosed) {
            return;
        }
        expected -= bytes.remaining();
        if (!responseBody.accept(array(bytes), bytes.remaining()) && events != null && lost == 0) {
            lost = responseBody.total();
            outbox.lose(key, 1, lost);
        }
        if (expected == 0) {
            responseRead();
        }
    }

    /** Notes that the response is complete, before its end passes. */
    synchronized void responseRead() {
        if (events == null && !isResponseRecorded) {
            isResponseRecorded = true;
            if (isEnded) {
                responseHeaders.put(MARK, "end");
            }
            beforeResponse();
            record(Direction.SERVER_TO_CLIENT, response, responseBody, responseHeaders);
        }
    }

    /** A response is judged after its request. One that comes before the end of its request follows a gap. */
    private void beforeResponse() {
        if (!isRequestRecorded) {
            isRequestRecorded = true;
            outbox.lose(key, 1, requestBody.total());
        }
    }

    /** Ends the exchange, complete or not, and returns its memory. What another thread still reads is not copied. */
    synchronized void close() {
        isClosed = true;
        if (key == null) {
            key = peers;
        }
        recordRequest();
        if (!isRequestRecorded && requestBody.total() > 0) {
            outbox.lose(key, 1, requestBody.total());
        }
        if (events == null && !isResponseRecorded && responseBody != null && responseBody.total() > 0) {
            outbox.lose(key, 1, responseBody.total());
        } else if (lost > 0 && responseBody.total() > lost) {
            outbox.lose(key, 0, responseBody.total() - lost);
        }
        request.free();
        response.free();
        requestBody.free();
        if (events != null) {
            events.free();
        }
        if (responseBody != null) {
            responseBody.free();
        }
    }

    private void record(Direction direction, Copy body, Decompression read, Map<String, String> headers) {
        if (body.isDropped() || read.isBroken()) {
            outbox.lose(key, 1, Math.max(body.total(), read.total()));
        } else {
            record(direction, body.total() == 0 ? null : body.from(0), headers);
        }
        body.free();
    }

    private void record(Direction direction, byte[] body, Map<String, String> headers) {
        if (isAllowed(headers)) {
            outbox.offer(key, direction, body, () -> headers);
        } else {
            outbox.lose(key, 1, body == null ? 0 : body.length);
        }
    }

    /** Whether a record may have these headers. One without some of them would be judged wrongly. */
    private static boolean isAllowed(Map<String, String> headers) {
        long bytes = 0;
        boolean isAllowed = true;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            int length = Captured.utf8(header.getValue()).length;
            bytes += header.getKey().length() + length;
            isAllowed &= length <= CaptureHeaders.MAX_VALUE && !ControlCharacters.isIn(header.getValue());
        }
        return isAllowed && bytes <= MAX_HEADERS_BYTES;
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }
}
