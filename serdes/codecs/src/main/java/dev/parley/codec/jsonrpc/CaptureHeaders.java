package dev.parley.codec.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.CallerProof;
import dev.parley.avro.Capture;
import dev.parley.avro.CaptureDirection;
import dev.parley.avro.CaptureMark;
import dev.parley.avro.HttpField;
import dev.parley.avro.Reference;
import dev.parley.codec.Code;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Decimal;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Utf8;
import dev.parley.codec.json.JsonCodes;
import dev.parley.codec.json.JsonScanner;
import dev.parley.codec.json.JsonWriter;
import dev.parley.encoding.Sha256;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Facts about a message that its body does not contain: record headers that a capture sets (docs/capture.md). Reads
 * each header once; of a repeated one, the last counts.
 */
public final class CaptureHeaders {
    private static final String PREFIX = "parley-";
    private static final String DIRECTION = "parley-direction";
    private static final String EXCHANGE = "parley-exchange";
    private static final String MARK = "parley-capture";
    private static final String HTTP_METHOD = "parley-http-method";
    private static final String HTTP_PATH = "parley-http-path";
    private static final String HTTP_QUERY = "parley-http-query";
    private static final String HTTP_STATUS = "parley-http-status";
    private static final String CALLER = "parley-caller";
    private static final String CALLER_PROOF = "parley-caller-proof";
    private static final String DELEGATION = "parley-delegation";
    private static final String SESSION = "mcp-session-id";

    /** Name of the header of a message from which the recorder has removed values. */
    public static final String ORIGINAL = "parley-original";

    private static final String NAME = "mcp-name";
    private static final String PARAMETER = "mcp-param-";
    private static final Set<String> FIELDS =
            Set.of(SESSION, "mcp-protocol-version", "mcp-method", NAME, "last-event-id", "parley-loss", ORIGINAL);

    /** Names of the headers, without those of the form {@code mcp-param-*}. */
    public static final Set<String> NAMES = Stream.concat(
                    Stream.of(
                            DIRECTION,
                            EXCHANGE,
                            MARK,
                            HTTP_METHOD,
                            HTTP_PATH,
                            HTTP_QUERY,
                            HTTP_STATUS,
                            CALLER,
                            CALLER_PROOF,
                            DELEGATION),
                    FIELDS.stream())
            .collect(Collectors.toUnmodifiableSet());

    /** Maximum UTF-8 bytes of a value. */
    public static final int MAX_VALUE = 8 << 10;

    private static final int MAX_NAME = 256;
    /** Maximum characters of the name of a caller or actor. */
    private static final int MAX_CALLER = 1_024;

    private static final int MAX_ACTORS = 16;
    private static final JsonCodes JSON =
            new JsonCodes(Code.BAD_HEADER, Code.BAD_HEADER, Code.BAD_HEADER, Code.BAD_HEADER);
    private static final int SESSION_HASH = 64;
    private static final int MIN_STATUS = 100;
    private static final int MAX_STATUS = 599;

    private final Capture capture = new Capture();
    private final Map<String, String> fields = new LinkedHashMap<>();
    private boolean isPresent;
    private Malformed<?> error;

    private CaptureHeaders() {
        capture.setDirection(CaptureDirection.UNKNOWN);
        capture.setMark(CaptureMark.NONE);
        capture.setCallerProof(CallerProof.CLAIM);
        capture.setDelegation(List.of());
    }

    /**
     * Whether a header is one of a capture.
     *
     * @param name the name, in lower case
     */
    public static boolean isNamed(String name) {
        return NAMES.contains(name) || name.startsWith(PARAMETER);
    }

    /**
     * Whether a header states a caller, who is as sure as the writer of the record.
     *
     * @param name the name, in lower case
     */
    public static boolean isCaller(String name) {
        return name.equals(CALLER) || name.equals(CALLER_PROOF) || name.equals(DELEGATION);
    }

    /**
     * Whether a record with headers of these names may have no value: it is a mark, or a request or response of HTTP
     * without a body.
     *
     * @param names names in lower case
     */
    public static boolean allowNoBody(Set<String> names) {
        return names.contains(MARK) || names.contains(HTTP_METHOD) || names.contains(HTTP_STATUS);
    }

    /** Reads the headers of a record. */
    public static CaptureHeaders read(RecordHeaders headers) {
        CaptureHeaders capture = new CaptureHeaders();
        headers.forEach(capture::header);
        List<HttpField> fields = new ArrayList<>(capture.fields.size());
        capture.fields.forEach((name, value) -> fields.add(new HttpField(name, value)));
        capture.capture.setFields(fields);
        return capture;
    }

    /** Returns the facts; null if the record has no such header. */
    public Capture capture() {
        return isPresent ? capture : null;
    }

    /** Returns the first header with an invalid value; null if there is none. */
    @SuppressWarnings("unchecked")
    public <M> Malformed<M> error() {
        return (Malformed<M>) error;
    }

    /** Returns the headers from which {@link #read} reads these facts; none for null. */
    public static Map<String, String> headers(Capture capture) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (capture != null) {
            put(headers, DIRECTION, capture.getDirection(), CaptureDirection.UNKNOWN);
            put(headers, EXCHANGE, capture.getExchange(), null);
            put(headers, MARK, capture.getMark(), CaptureMark.NONE);
            put(headers, HTTP_METHOD, capture.getHttpMethod(), null);
            put(headers, HTTP_PATH, capture.getHttpPath(), null);
            put(headers, HTTP_QUERY, capture.getHttpQuery(), null);
            put(headers, HTTP_STATUS, capture.getHttpStatus(), null);
            put(headers, CALLER, capture.getCaller(), null);
            put(headers, CALLER_PROOF, capture.getCallerProof(), CallerProof.CLAIM);
            if (!capture.getDelegation().isEmpty()) {
                headers.put(
                        DELEGATION,
                        capture.getDelegation().stream()
                                .map(JsonWriter::quoted)
                                .collect(Collectors.joining(",", "[", "]")));
            }
            capture.getFields().forEach(field -> headers.put(field.getName(), field.getValue()));
        }
        return headers;
    }

    /**
     * Adds references to the caller and to those who act for it. Their kinds distinguish what the capture proved,
     * {@code caller} and {@code actor}, from claims.
     */
    public static void refer(List<Reference> references, Capture capture) {
        if (capture == null) {
            return;
        }
        CallerProof proof = capture.getCallerProof();
        if (capture.getCaller() != null) {
            references.add(
                    new Reference(proof == CallerProof.CLAIM ? "claimed-caller" : "caller", capture.getCaller()));
        }
        for (String actor : capture.getDelegation()) {
            references.add(new Reference(proof == CallerProof.TOKEN ? "actor" : "claimed-actor", actor));
        }
    }

    private static void put(Map<String, String> headers, String name, Object value, Object absent) {
        if (value != null && value != absent) {
            headers.put(name, value instanceof Enum<?> symbol ? spelling(symbol) : value.toString());
        }
    }

    /** Name of the parameter in the body that the header with this name repeats; null if it repeats none. */
    public static String parameter(String name) {
        return name.equals(NAME) ? "name" : name.startsWith(PARAMETER) ? name.substring(PARAMETER.length()) : null;
    }

    private void header(String key, byte[] value) {
        String name = key.length() > MAX_NAME ? "" : key.toLowerCase(Locale.ROOT);
        boolean isField = FIELDS.contains(name) || name.startsWith(PARAMETER);
        if (value == null || !isField && (value.length == 0 || !name.startsWith(PREFIX))) {
            return;
        }
        String text = value.length <= MAX_VALUE && Utf8.firstInvalid(value, 0, value.length) < 0
                ? new String(value, UTF_8)
                : null;
        boolean isText = isText(text);
        if (isField) {
            if (require(isText, name, "be text of at most " + MAX_VALUE + " bytes without control characters")) {
                isPresent = true;
                fields.put(name, name.equals(SESSION) ? hashed(text) : text);
            }
            return;
        }
        switch (name) {
            case DIRECTION -> {
                CaptureDirection direction = symbol(text, CaptureDirection.values());
                if (require(direction != null, name, "be client-to-server or server-to-client")) {
                    capture.setDirection(direction);
                }
            }
            case MARK -> {
                CaptureMark mark = symbol(text, CaptureMark.values());
                if (require(mark != null, name, "be start, end or gap")) {
                    capture.setMark(mark);
                }
            }
            case CALLER -> {
                if (require(isCallerName(text), name, "be a name of at most " + MAX_CALLER + " characters")) {
                    capture.setCaller(text);
                }
            }
            case CALLER_PROOF -> {
                CallerProof proof = symbol(text, CallerProof.values());
                if (require(proof != null, name, "be mtls, token or process")) {
                    capture.setCallerProof(proof);
                }
            }
            case DELEGATION -> {
                List<String> actors = text == null ? null : actors(value);
                String rule =
                        "be a JSON array of 1 to " + MAX_ACTORS + " names of at most " + MAX_CALLER + " characters";
                if (require(actors != null, name, rule)) {
                    capture.setDelegation(actors);
                }
            }
            case HTTP_STATUS -> {
                long status = text == null ? Decimal.NONE : Decimal.parse(text, MAX_STATUS);
                if (require(status >= MIN_STATUS, name, "be a number from 100 to 599")) {
                    capture.setHttpStatus((int) status);
                }
            }
            case EXCHANGE, HTTP_METHOD, HTTP_PATH, HTTP_QUERY -> {
                if (require(isText, name, "be text of at most " + MAX_VALUE + " bytes without control characters")) {
                    set(name, text);
                }
            }
            default -> {
                // Another header of Parley.
            }
        }
    }

    private void set(String name, String text) {
        switch (name) {
            case EXCHANGE -> capture.setExchange(text);
            case HTTP_METHOD -> capture.setHttpMethod(text);
            case HTTP_PATH -> capture.setHttpPath(text);
            default -> capture.setHttpQuery(text);
        }
    }

    private static boolean isText(String text) {
        return text != null && !ControlCharacters.isIn(text);
    }

    private static boolean isCallerName(String text) {
        return isText(text) && !text.isEmpty() && text.length() <= MAX_CALLER;
    }

    /** The names in a JSON array; null for any other value. */
    private static List<String> actors(byte[] json) {
        JsonScanner scanner = new JsonScanner(json, 0, Limits.NONE, JSON);
        List<String> actors = new ArrayList<>(1);
        boolean isValid = scanner.peek() == '[' && scanner.open();
        while (isValid && !scanner.closes(']')) {
            isValid = actors.size() < MAX_ACTORS
                    && (actors.isEmpty() || scanner.comma())
                    && scanner.peek() == '"'
                    && scanner.string()
                    && isCallerName(scanner.text())
                    && actors.add(scanner.text());
        }
        return isValid && scanner.ends() && !actors.isEmpty() ? actors : null;
    }

    private boolean require(boolean isValid, String name, String rule) {
        isPresent |= isValid;
        if (!isValid && error == null) {
            error = new Malformed<>(Code.BAD_HEADER, 0, "header " + name + " must " + rule);
        }
        return isValid;
    }

    /** The symbol of a spelling such as client-to-server; null for any other text, and for the first symbol. */
    private static <E extends Enum<E>> E symbol(String text, E[] symbols) {
        for (E symbol : symbols) {
            if (symbol.ordinal() > 0 && spelling(symbol).equals(text)) {
                return symbol;
            }
        }
        return null;
    }

    private static String spelling(Enum<?> symbol) {
        return symbol.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A session ID is a credential: one that is not a hash is replaced by its hash. */
    private static String hashed(String session) {
        boolean isHash = session.length() == SESSION_HASH;
        for (int i = 0; i < session.length() && isHash; i++) {
            char c = session.charAt(i);
            isHash = c >= '0' && c <= '9' || c >= 'a' && c <= 'f';
        }
        return isHash ? session : HexFormat.of().formatHex(Sha256.of(session.getBytes(UTF_8)));
    }
}
