package dev.parley.codec.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.JsonMember;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.codec.Code;
import dev.parley.codec.Decimal;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Utf8;
import dev.parley.codec.Warnings;
import dev.parley.codec.json.JsonScanner;
import dev.parley.codec.json.JsonValues;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Reads one JSON-RPC message in one pass. Values of members are opaque: their keys do not count. A protocol extends it
 * to note members of parameters and results.
 */
public class JsonRpcReader extends JsonScanner {
    /** Names of the members of a message in canonical order. */
    static final List<String> MEMBERS = List.of("jsonrpc", "id", "method", "params", "result", "error");

    static final String VERSION = "\"2.0\"";

    /** A part of a message whose members a protocol may note. */
    protected enum Part {
        PARAMS,
        RESULT,
        ERROR
    }

    private final JsonRpcMessage message = new JsonRpcMessage();
    private final List<Integer> batchStarts = new ArrayList<>(0);
    private final JsonRpcCodes codes;
    private final int start;
    private final boolean strict;
    private Warnings violations;
    private Warnings warnings;
    private boolean hasVersion;
    private boolean hasErrorCode;
    private boolean hasErrorMessage;

    /**
     * Creates a reader.
     *
     * @param wire bytes of a message, at most as many as the options allow; not changed
     */
    protected JsonRpcReader(byte[] wire, DecodeOptions options, JsonRpcCodes codes) {
        super(wire, Utf8.startsWithMark(wire) ? Utf8.MARK_LENGTH : 0, options.limits(), codes.json());
        this.codes = codes;
        this.start = position();
        this.strict = options.strict();
        message.setExtras(List.of());
        message.setBatch(List.of());
        message.setOrder(new ArrayList<>(MEMBERS.size()));
    }

    /** The message after {@link #read}. */
    public JsonRpcMessage message() {
        return message;
    }

    /** Index of the first byte of a message of the batch. */
    public int batchStart(int index) {
        return batchStarts.get(index);
    }

    /** Violations of JSON-RPC after {@link #read}. */
    public List<Code> violations() {
        return Warnings.listed(violations);
    }

    /** Warnings after {@link #read}. */
    public List<Code> warnings() {
        return Warnings.listed(warnings);
    }

    /** Reads the message. Returns whether there is no {@link #error}. */
    public boolean read() {
        if (start > 0) {
            if (strict) {
                noteError(Code.BYTE_ORDER_MARK, 0, "Send the message without the byte order mark.");
            } else {
                warnings = Warnings.with(warnings, Code.BYTE_ORDER_MARK);
            }
        }
        boolean isBatch = peek() == '[';
        if (!isBatch && peek() != '{') {
            return unexpected("A message must be a JSON object, or an array of them.");
        }
        if (!(isBatch ? batch() : object(this::member)) || !ends()) {
            return false;
        }
        if (firstDuplicate() >= 0) {
            noteError(codes.json().duplicateKey(), firstDuplicate(), "This key is repeated in its object.");
        } else if (!isBatch) {
            classify();
        }
        if (isOrderCanonical()) {
            message.setOrder(List.of());
        }
        return error() == null;
    }

    /** Adds a violation of the protocol. */
    protected final void violate(Code code) {
        violations = Warnings.with(violations, code);
    }

    /** Reads the members of an object that is next, with a reader for the value of each key, the current string. */
    protected final boolean object(Predicate<JsonRpcReader> member) {
        if (!open()) {
            return false;
        }
        int outerKeys = rememberedKeys();
        for (boolean first = true; !closes('}'); first = false) {
            if (!key(first)) {
                return false;
            }
            rememberKey();
            if (!member.test(this)) {
                return false;
            }
        }
        forgetKeys(outerKeys);
        return true;
    }

    /** Reads the value of a member of a part, whose key is the current string. */
    protected boolean value(Part part) {
        return JsonValues.skip(this);
    }

    private boolean batch() {
        int from = position();
        List<String> messages = new ArrayList<>();
        opaque(true);
        if (!open()) {
            return false;
        }
        for (boolean first = true; !closes(']'); first = false) {
            if (!first && !comma()) {
                return false;
            }
            if (peek() != '{') {
                noteError(codes.notMessage(), position(), "Each element of a batch must be a message.");
            }
            peek();
            batchStarts.add(position());
            String json = JsonValues.json(this);
            if (json == null) {
                return false;
            }
            messages.add(json);
        }
        if (messages.isEmpty()) {
            noteError(codes.notMessage(), from, "A batch must have at least one message.");
        }
        message.setKind(JsonRpcKind.BATCH);
        message.setBatch(messages);
        return true;
    }

    private boolean member(JsonRpcReader self) {
        for (int i = 0; i < MEMBERS.size(); i++) {
            if (stringIs(MEMBERS.get(i))) {
                return standard(MEMBERS.get(i));
            }
        }
        return extra(text());
    }

    private boolean standard(String name) {
        peek();
        int at = position();
        opaque(true);
        boolean isObject = peek() == '{';
        String json = isObject ? JsonValues.json(this, self -> self.object(part(name))) : JsonValues.json(this);
        opaque(false);
        if (json == null) {
            return false;
        }
        boolean isString = json.charAt(0) == '"';
        switch (name) {
            case "jsonrpc" -> {
                hasVersion = json.equals(VERSION);
                if (!hasVersion) {
                    addExtra(name, json);
                    return true;
                }
            }
            case "id" -> {
                message.setId(json);
            }
            case "method" -> {
                if (!isString) {
                    noteError(codes.notMessage(), at, "The method must be a string.");
                } else {
                    message.setMethod(text());
                }
            }
            case "params" -> {
                message.setParams(json);
                if (!isObject) {
                    violate(codes.params());
                }
            }
            case "result" -> {
                message.setResult(json);
                if (!isObject) {
                    violate(codes.response());
                }
            }
            default -> message.setError(json);
        }
        message.getOrder().add(name);
        return true;
    }

    private Predicate<JsonRpcReader> part(String name) {
        return switch (name) {
            case "params" -> self -> value(Part.PARAMS);
            case "result" -> self -> value(Part.RESULT);
            case "error" -> self -> errorMember();
            default -> JsonValues::skip;
        };
    }

    private boolean errorMember() {
        boolean isCode = stringIs("code");
        hasErrorMessage |= stringIs("message") && peek() == '"';
        peek();
        int from = position();
        if (!value(Part.ERROR)) {
            return false;
        }
        if (isCode) {
            long code = integer(from, position());
            message.setErrorCode(code == Long.MIN_VALUE ? null : (Long) code);
            hasErrorCode = wire[from] != '"' && isId(new String(wire, from, position() - from, UTF_8));
        }
        return true;
    }

    private boolean extra(String name) {
        opaque(true);
        String json = JsonValues.json(this);
        opaque(false);
        if (json != null) {
            addExtra(name, json);
        }
        return json != null;
    }

    private void addExtra(String name, String json) {
        if (message.getExtras().isEmpty()) {
            message.setExtras(new ArrayList<>());
        }
        message.getExtras().add(new JsonMember(name, json));
    }

    /** Determines the kind of the message from its members. */
    private void classify() {
        boolean isResponse = message.getResult() != null || message.getError() != null;
        if (message.getMethod() != null) {
            message.setKind(message.getId() == null ? JsonRpcKind.NOTIFICATION : JsonRpcKind.REQUEST);
            if (isResponse) {
                violate(codes.response());
            }
        } else if (isResponse) {
            message.setKind(message.getError() == null ? JsonRpcKind.RESULT : JsonRpcKind.ERROR);
            boolean hasError = hasErrorCode && hasErrorMessage;
            if (message.getError() != null && (!hasError || message.getResult() != null)) {
                violate(codes.response());
            }
        } else {
            noteError(codes.notMessage(), position(), "A message must have a method, a result or an error.");
        }
        // An error without ID reports a message whose ID could not be read.
        boolean isIdOptional = message.getKind() == JsonRpcKind.ERROR || message.getKind() == JsonRpcKind.NOTIFICATION;
        String id = "null".equals(message.getId()) && isIdOptional ? null : message.getId();
        if (id == null ? !isIdOptional : !isId(id)) {
            violate(codes.id());
        }
        if (!hasVersion) {
            violate(codes.version());
        }
    }

    private boolean isOrderCanonical() {
        int last = -1;
        for (String name : message.getOrder()) {
            int rank = MEMBERS.indexOf(name);
            if (rank < last || last < 0 && rank > 0) {
                return false;
            }
            last = rank;
        }
        return true;
    }

    /** Whether a JSON value is a string or a number without a fraction, such as 1, 1.0 or 1e0. */
    protected static boolean isId(String json) {
        char first = json.charAt(0);
        if (first == '"') {
            return true;
        }
        boolean isNumber = first == '-' || first >= '0' && first <= '9';
        int point = json.indexOf('.');
        boolean isExponential = json.indexOf('e') >= 0 || json.indexOf('E') >= 0;
        int at = point < 0 ? json.length() : point + 1;
        while (at < json.length() && json.charAt(at) == '0') {
            at++;
        }
        return isNumber && (isExponential || at == json.length());
    }

    /** The integer in bytes, perhaps with a fraction of zeros; {@link Long#MIN_VALUE} if it is another value. */
    private long integer(int from, int to) {
        boolean isNegative = wire[from] == '-';
        int end = to;
        while (end > from && wire[end - 1] == '0') {
            end--;
        }
        end = end > from && wire[end - 1] == '.' ? end - 1 : to;
        long number = Decimal.parse(wire, isNegative ? from + 1 : from, end, Long.MAX_VALUE);
        return number == Decimal.NONE ? Long.MIN_VALUE : isNegative ? -number : number;
    }
}
