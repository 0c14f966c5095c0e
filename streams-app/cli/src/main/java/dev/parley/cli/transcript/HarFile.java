package dev.parley.cli.transcript;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.parley.cli.transcript.Transcript.BadLine;
import dev.parley.cli.transcript.Transcript.Errors;
import dev.parley.cli.transcript.Transcript.Line;
import dev.parley.cli.transcript.Transcript.LineConsumer;
import dev.parley.codec.Ascii;
import dev.parley.codec.Excerpt;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Utf8;
import dev.parley.codec.jsonrpc.JsonRpcDetection;
import dev.parley.encoding.Sha256;
import dev.parley.tap.Events;
import java.io.File;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * Reads the MCP traffic of an HTTP archive (HAR 1.2), as browsers and proxies export it, entry by entry. An entry is
 * MCP if the body of its request or response is JSON-RPC, or if it has a header of MCP; others are skipped and counted.
 * Its number in the file is the exchange. Its records are the request and the response, or each event {@code message}
 * of the response (docs/capture.md). The record key is the host, with the start of the hash of the session ID if there
 * is one. Credentials are not read: of the headers, only those of MCP and {@code traceparent} are. A body may be a
 * file in the directory of the archive, as Playwright writes it.
 *
 * <p>The {@code initialize} that opens a session with an ID has {@code parley-capture: start}: it is the first message
 * of the session by definition. Later entries may be absent from a filtered file, which is not visible. This causes no
 * violation, because rules over HTTP compare a message with the handshake, and with earlier messages of its entry.
 * Without a session ID there is no start: the key may stand for several clients. A body that was not saved is a {@code
 * gap}. Records are in the order of the file: a response follows its request, although others may have passed before.
 */
final class HarFile {
    private static final String SESSION = "mcp-session-id";
    private static final Set<String> FIELDS = Set.of(
            SESSION, "mcp-protocol-version", "mcp-method", "mcp-name", "last-event-id", RecordHeaders.TRACEPARENT);

    /** Parts of names of query parameters that may be credentials; an encoded name may be any. */
    private static final List<String> CREDENTIALS =
            List.of("%", "session", "sid", "token", "key", "secret", "pass", "auth", "code", "sig", "cred", "jwt");

    /** Requests with this in their path concern authorization and discovery, although they have a header of MCP. */
    private static final String WELL_KNOWN = "/.well-known/";

    private static final int HASH_CHARACTERS = 16;
    private static final int MIN_STATUS = 100;
    private static final int MAX_STATUS = 599;

    private static final ObjectReader ENTRIES = Transcript.JSON
            .readerFor(Entry.class)
            .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private record Entry(String startedDateTime, double time, Request request, Response response) {}

    private record Request(String method, String url, List<Header> headers, long bodySize, Content postData) {}

    private record Response(int status, List<Header> headers, Content content) {}

    private record Header(String name, String value) {}

    /**
     * A body; that of a request has no size.
     *
     * @param file name of the file with its bytes, of Playwright
     */
    private record Content(
            String mimeType,
            String text,
            String encoding,
            @JsonProperty("_file") String file,
            long size) {
        private boolean isStream() {
            return mimeType != null && mimeType.toLowerCase(Locale.ROOT).startsWith("text/event-stream");
        }

        private boolean mayBeMcp() {
            return isStream()
                    || mimeType != null && mimeType.toLowerCase(Locale.ROOT).contains("json");
        }
    }

    /** Directory of the archive; null for standard input. */
    private final Path directory;

    private final int maxEntryBytes;
    private final Errors errors;
    private final LineConsumer each;

    /** Keys of the records so far. */
    private final Set<String> keys = new HashSet<>();

    /** Bytes that the present entry, or what is between two, may still have. */
    private long remaining;

    private boolean isMitmproxy;
    private long records;
    private int entries;
    private int skipped;

    /**
     * A reader.
     *
     * @param directory absolute path of the directory of the archive; null for standard input
     * @param maxEntryBytes maximum bytes of an entry, and of a body in a file
     * @param each takes each record with its number, from 1
     */
    HarFile(Path directory, int maxEntryBytes, Errors errors, LineConsumer each) {
        this.directory = directory;
        this.maxEntryBytes = maxEntryBytes;
        this.errors = errors;
        this.each = each;
    }

    /** Reads the file; returns whether there was no error. */
    boolean read(InputStream in) throws IOException {
        remaining = maxEntryBytes;
        try (JsonParser json = Transcript.JSON.getFactory().createParser(bounded(in))) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                String path = json.getParsingContext().pathAsPointer().toString();
                if (path.equals("/log/creator/name") && token == JsonToken.VALUE_STRING) {
                    isMitmproxy = json.getText().startsWith("mitmproxy");
                }
                boolean isEntries = path.equals("/log/entries") && token == JsonToken.START_ARRAY;
                while (isEntries && json.nextToken() != JsonToken.END_ARRAY) {
                    entries++;
                    remaining = maxEntryBytes;
                    try {
                        skipped += take(ENTRIES.readValue(json)) ? 0 : 1;
                    } catch (BadLine e) {
                        errors.add(" entry " + entries, e.getMessage());
                    }
                }
            }
        } catch (JsonProcessingException e) {
            String reason = remaining <= 0
                    ? "an entry must have at most " + maxEntryBytes + " bytes; remove it"
                    : e instanceof MismatchedInputException
                            ? "the entry must have the types of HAR 1.2"
                            : Transcript.notJson(e);
            errors.add(" entry " + Math.max(1, entries), reason + "; nothing after this place was read");
        }
        String count = skipped + " of " + entries + " entries, which are not MCP";
        return errors.finish(entries == 0 ? "the file has no entries" : skipped > 0 ? "skipped " + count : null);
    }

    private InputStream bounded(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                if (remaining <= 0) {
                    throw new StreamConstraintsException("too large");
                }
                int count = super.read(target, offset, (int) Math.min(length, remaining));
                remaining -= count;
                return count;
            }
        };
    }

    /** Takes the records of an entry; returns false if it is not MCP. */
    private boolean take(Entry entry) throws BadLine, IOException {
        if (entry == null || entry.request() == null || entry.request().url() == null) {
            throw new BadLine("the entry must have a request with a url");
        }
        Request request = entry.request();
        Response response = Objects.requireNonNullElse(entry.response(), new Response(0, null, null));
        Map<String, String> sent = fields(request.headers());
        Map<String, String> received = fields(response.headers());
        String trace = sent.remove(RecordHeaders.TRACEPARENT);
        received.remove(RecordHeaders.TRACEPARENT);
        Address address = Address.of(request.url());
        boolean hasField =
                !(sent.isEmpty() && received.isEmpty()) && !address.path().contains(WELL_KNOWN);
        byte[] body = body(request.postData(), hasField);
        List<byte[]> answers = answers(response.content(), hasField);
        boolean isAnswered = answers.stream().anyMatch(answer -> isMessage(answer, any -> true));
        if ("OPTIONS".equals(request.method()) || !(hasField || isAnswered || isMessage(body, any -> true))) {
            return false;
        }
        String session = sent.getOrDefault(SESSION, received.get(SESSION));
        String key = address.host() + (session == null ? "" : '-' + session.substring(0, HASH_CHARACTERS));
        boolean opens = keys.add(key)
                && !sent.containsKey(SESSION)
                && session != null
                && isAnswered
                && isMessage(body, method -> Ascii.startsWith(body, method, "\"initialize\""));
        Long time = entry.startedDateTime() == null
                ? null
                : (Long) Transcript.millis("startedDateTime", entry.startedDateTime(), false);
        String mark = body == null && request.bodySize() > 0 ? "gap" : opens ? "start" : null;
        Map<String, String> headers = headers("client-to-server", Integer.toString(entries), mark);
        // A message without any header: they were not recorded, and the method would say that those of MCP were absent.
        boolean hasHeaders = request.headers() != null && !request.headers().isEmpty();
        put(headers, "parley-http-method", body == null || hasHeaders ? request.method() : null);
        put(headers, "parley-http-path", address.path());
        put(headers, "parley-http-query", address.query());
        headers.putAll(sent);
        put(headers, RecordHeaders.TRACEPARENT, trace);
        record(key, headers, body, time);
        // Another status stands for a request without a response.
        if (response.status() >= MIN_STATUS && response.status() <= MAX_STATUS) {
            Content content = response.content();
            boolean isLost = answers.contains(null)
                    && content != null
                    && (content.size() > 0 || content.isStream() && body != null);
            headers = headers("server-to-client", Integer.toString(entries), isLost ? "gap" : null);
            headers.put("parley-http-status", Integer.toString(response.status()));
            put(headers, SESSION, received.get(SESSION));
            put(headers, RecordHeaders.TRACEPARENT, trace);
            for (byte[] answer : answers) {
                record(key, headers, answer, time == null ? null : (Long) (time + Math.max(0, (int) entry.time())));
            }
        }
        return true;
    }

    private void record(String key, Map<String, String> headers, byte[] wire, Long time) throws BadLine {
        each.accept(++records, new Line(key.getBytes(UTF_8), headers, wire, null, time, Optional.empty()));
    }

    /** Headers that each record of MCP has; null for one that it lacks. */
    static Map<String, String> headers(String direction, String exchange, String mark) {
        Map<String, String> headers = new LinkedHashMap<>(Map.of("parley-protocol", "mcp"));
        headers.put("parley-direction", direction);
        put(headers, "parley-exchange", exchange);
        put(headers, "parley-capture", mark);
        return headers;
    }

    static void put(Map<String, String> headers, String name, String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }

    /** The headers of MCP and the trace context, with the session as its hash. Of a repeated one, the last counts. */
    private static Map<String, String> fields(List<Header> headers) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (Header header : Objects.requireNonNullElse(headers, List.<Header>of())) {
            String name = header == null ? "" : String.valueOf(header.name()).toLowerCase(Locale.ROOT);
            if (FIELDS.contains(name) || name.startsWith("mcp-param-")) {
                put(fields, name, header.value());
            }
        }
        fields.computeIfPresent(SESSION, (name, id) -> HexFormat.of().formatHex(Sha256.of(id.getBytes(UTF_8))));
        return fields;
    }

    /**
     * The bytes of a body; null without one.
     *
     * @param isMcp whether the entry is MCP whatever the body is
     */
    private byte[] body(Content content, boolean isMcp) throws BadLine {
        if (content == null || content.text() == null || content.text().isEmpty()) {
            return content != null && content.file() != null && (isMcp || content.mayBeMcp())
                    ? file(content.file())
                    : null;
        }
        String text = content.text();
        if (!Utf8.canEncode(text)) {
            throw new BadLine("text must have no unpaired surrogate");
        }
        try {
            // mitmproxy decodes streams as ISO 8859-1, unless they name a charset.
            boolean isLatin =
                    isMitmproxy && content.isStream() && ISO_8859_1.newEncoder().canEncode(text);
            return "base64".equalsIgnoreCase(content.encoding())
                    ? Base64.getDecoder().decode(text)
                    : text.getBytes(isLatin && !content.mimeType().contains("charset") ? ISO_8859_1 : UTF_8);
        } catch (IllegalArgumentException e) {
            throw new BadLine("text must be Base64: " + Excerpt.of(e.getMessage()));
        }
    }

    /** The bytes of a regular file in the directory of the archive, which no link leads to. */
    private byte[] file(String name) throws BadLine {
        if (directory == null) {
            throw new BadLine("a body is in the file '" + Excerpt.of(name) + "'; give the HAR file by its path");
        }
        try {
            Path path = directory.resolve(name);
            if (new File(name).getName().equals(name)
                    && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(path) <= maxEntryBytes) {
                try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
                    return in.readNBytes(maxEntryBytes);
                }
            }
        } catch (IOException | InvalidPathException e) {
            throw new BadLine("_file cannot be read: " + Excerpt.of(String.valueOf(e.getMessage())));
        }
        throw new BadLine("_file must be the name of a regular file of at most " + maxEntryBytes
                + " bytes in the directory of the HAR file, but was '" + Excerpt.of(name) + "'");
    }

    /**
     * The records of a response: null for one without a body; of a stream, the data of each event {@code message} with
     * data. An event that does not end is none, as in browsers.
     */
    private List<byte[]> answers(Content content, boolean isMcp) throws BadLine, IOException {
        byte[] body = body(content, isMcp);
        if (body == null || !content.isStream()) {
            return Collections.singletonList(body);
        }
        List<byte[]> events = new ArrayList<>();
        Events stream = new Events(maxEntryBytes, new AtomicLong(Integer.MAX_VALUE), events::add, tooLong -> {});
        stream.accept(body, 0, body.length);
        return events;
    }

    private static String before(char end, String text) {
        return text.indexOf(end) < 0 ? text : text.substring(0, text.indexOf(end));
    }

    /**
     * Whether a body is JSON-RPC.
     *
     * @param body null for none
     * @param method whether the value of {@code method} that starts at an index is a wanted one
     */
    static boolean isMessage(byte[] body, IntPredicate method) {
        int from = body == null ? 0 : Ascii.skipSpaces(body, 0);
        return body != null && from < body.length && JsonRpcDetection.isMessage(body, from, method);
    }

    /** Parts of a URL. Recorders write some that {@code java.net.URI} refuses. */
    private record Address(String host, String path, String query) {
        static Address of(String url) {
            String whole = before('#', url);
            String rest = whole.substring(whole.contains("://") ? whole.indexOf("://") + 3 : 0);
            String location = before('?', rest);
            String authority = before('/', location);
            String host = authority.substring(authority.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
            String path = authority.equals(location) ? "/" : location.substring(authority.length());
            return new Address(host, path, withoutCredentials(rest.substring(location.length())));
        }

        /** The parameters of a query that have a value and a harmless name; null without any. */
        private static String withoutCredentials(String query) {
            String kept = Arrays.stream(query.split("[?&]"))
                    .filter(parameter -> parameter.contains("="))
                    .filter(parameter -> CREDENTIALS.stream()
                            .noneMatch(before('=', parameter).toLowerCase(Locale.ROOT)::contains))
                    .collect(Collectors.joining("&"));
            return kept.isEmpty() ? null : kept;
        }
    }
}
