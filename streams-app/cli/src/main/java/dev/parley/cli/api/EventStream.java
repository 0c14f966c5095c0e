package dev.parley.cli.api;

import dev.parley.cli.io.ErrorMessages;
import dev.parley.cli.io.UsageException;
import dev.parley.json.ApiJson;
import dev.parley.json.model.TailEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Follows server-sent events of the HTTP API, and resumes after the last complete one. */
public final class EventStream {
    private static final int MAX_PROBLEM_BYTES = 1 << 16;
    private static final Set<Integer> TEMPORARY = Set.of(429, 503);
    /** Reasons of the server that a client need not report. */
    private static final Set<String> EXPECTED = Set.of("RECONNECT");

    private static final String EXPIRED = "EXPIRED";

    /** Maximum time without a byte. The server sends one at least every second or so. */
    private static final Duration SILENCE = Duration.ofSeconds(15);

    private final ApiClient api;
    private final String path;
    private final Duration silence;
    private Optional<String> last;
    private boolean reached;
    private boolean received;

    /** An event with data. */
    public record Event(String id, TailEvent data) {}

    /** The data of the last event. */
    private record End(String reason, String detail) {}

    /**
     * Why a connection ended.
     *
     * @param received whether it delivered an event
     * @param mayResume whether to connect again
     * @param expected whether it is part of normal operation
     */
    public record Ended(String reason, boolean received, boolean mayResume, boolean expected) {}

    /** @param after ID of the event after which to start; empty to start now */
    public EventStream(ApiClient api, ApiQuery query, Optional<String> after) {
        this(api, query, after, SILENCE);
    }

    /** @param silence maximum time without a byte; then the connection ends */
    EventStream(ApiClient api, ApiQuery query, Optional<String> after, Duration silence) {
        this.api = api;
        this.path = query.path();
        this.last = after;
        this.silence = silence;
    }

    /**
     * Connects, and passes on events until the connection ends, or the consumer returns false. If the API was never
     * reached, the result is final.
     *
     * @throws UsageException if the API refuses a parameter
     */
    public Ended follow(Predicate<Event> consumer) {
        return follow(() -> {}, consumer);
    }

    /** The same; {@code connected} runs as soon as no later record can be missed. */
    public Ended follow(Runnable connected, Predicate<Event> consumer) {
        HttpURLConnection connection;
        try {
            connection = api.open(path, last, silence);
            reached = true;
        } catch (IllegalStateException e) {
            return new Ended(ErrorMessages.of(e), false, reached, false);
        }
        received = false;
        try (InputStream body = body(connection);
                BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            int status = connection.getResponseCode();
            if (status != HttpURLConnection.HTTP_OK) {
                String failure = ApiClient.failure(path, status, body.readNBytes(MAX_PROBLEM_BYTES))
                        .getMessage();
                return new Ended(failure, false, TEMPORARY.contains(status), false);
            }
            if (!String.valueOf(connection.getContentType()).startsWith(ApiClient.EVENTS)) {
                return new Ended(ApiClient.returned(path, status) + ApiClient.FOREIGN, false, false, false);
            }
            connected.run();
            for (Fields event = Fields.next(lines); event != null; event = Fields.next(lines)) {
                boolean isRecord = event.name.equals("record") && !event.data.isEmpty();
                received |= isRecord;
                boolean more = !isRecord || consumer.test(new Event(event.id, read(event.data, TailEvent.class)));
                last = Optional.ofNullable(event.id).or(() -> last);
                if (!more) {
                    return new Ended("The command has what it asked for", true, false, true);
                }
                if (event.name.equals("end") && !event.data.isEmpty()) {
                    End end = read(event.data, End.class);
                    return new Ended(
                            end.reason() + ": " + end.detail(),
                            received,
                            !end.reason().equals(EXPIRED),
                            EXPECTED.contains(end.reason()));
                }
            }
            return new Ended("The connection ended", received, true, false);
        } catch (SocketTimeoutException e) {
            return new Ended("Nothing came for " + silence.toSeconds() + " s", received, true, false);
        } catch (IOException e) {
            return new Ended("The connection broke: " + ErrorMessages.reason(e), received, true, false);
        } finally {
            connection.disconnect();
        }
    }

    private static InputStream body(HttpURLConnection connection) throws IOException {
        return connection.getResponseCode() == HttpURLConnection.HTTP_OK
                ? connection.getInputStream()
                : Objects.requireNonNullElse(connection.getErrorStream(), InputStream.nullInputStream());
    }

    private static <T> T read(String json, Class<T> type) throws IOException {
        return ApiJson.read(json.getBytes(StandardCharsets.UTF_8), ApiJson.type(type));
    }

    /**
     * The fields of an event.
     *
     * @param id its ID; null without one
     */
    private record Fields(String name, String id, String data) {
        /** Reads an event; null at the end of the stream, before which an incomplete event does not count. */
        static Fields next(BufferedReader lines) throws IOException {
            String name = "";
            String id = null;
            StringBuilder data = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    return new Fields(name, id, data.toString());
                }
                int colon = line.indexOf(':');
                String value = colon < 0 ? "" : line.substring(colon + 1).stripLeading();
                // Ignores comments, and fields of later versions.
                switch (colon < 0 ? line : line.substring(0, colon)) {
                    case "event" -> name = value;
                    case "id" -> id = value;
                    case "data" -> data.append(value);
                    default -> {}
                }
            }
            return null;
        }
    }
}
