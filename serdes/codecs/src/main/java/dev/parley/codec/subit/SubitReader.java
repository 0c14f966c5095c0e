package dev.parley.codec.subit;

import dev.parley.avro.SubitEntry;
import dev.parley.avro.SubitMessage;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Utf8;
import dev.parley.codec.Warnings;
import dev.parley.codec.json.JsonCodes;
import dev.parley.codec.json.JsonScanner;
import dev.parley.codec.json.JsonValues;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads one packet in one pass. The {@link JsonScanner} stops at the first lexical error; semantic errors are only
 * noted, because later lexical errors and repeated keys take precedence.
 */
final class SubitReader extends JsonScanner {
    static final JsonCodes CODES =
            new JsonCodes(Code.SUBIT_NOT_JSON, Code.SUBIT_BAD_UTF8, Code.SUBIT_TRAILING_DATA, Code.SUBIT_DUPLICATE_KEY);

    static final List<SubitType> TYPES = List.of(
            SubitType.STATE, SubitType.INTENT, SubitType.ACTION, SubitType.PLAN, SubitType.TRACE, SubitType.ERROR);

    private final SubitMessage message = new SubitMessage();
    private final boolean strict;
    private Warnings warnings;

    private boolean typeSeen;
    private boolean metaSeen;
    private int payloadAt = -1;

    private SubitReader(byte[] wire, int from, DecodeOptions options) {
        super(wire, from, options.limits(), CODES);
        this.strict = options.strict();
        message.setExtras(List.of());
    }

    static DecodeResult<SubitMessage> read(byte[] wire, DecodeOptions options) {
        int max = options.limits().messageBytes();
        if (wire.length > max) {
            return new Malformed<>(Code.MESSAGE_TOO_LARGE, max, "A message must have at most " + max + " bytes.");
        }
        boolean marked = Utf8.startsWithMark(wire);
        SubitReader reader = new SubitReader(wire, marked ? Utf8.MARK_LENGTH : 0, options);
        if (marked) {
            reader.departure(Code.BYTE_ORDER_MARK, 0, "Send the packet without the byte order mark.");
            if (reader.error() != null) {
                return reader.error();
            }
        }
        return reader.read();
    }

    private DecodeResult<SubitMessage> read() {
        if (!packet() || !ends()) {
            return error();
        }
        if (firstDuplicate() >= 0) {
            return new Malformed<>(Code.SUBIT_DUPLICATE_KEY, firstDuplicate(), "This key is repeated in its object.");
        }
        if (error() != null) {
            return error();
        }
        if (!typeSeen || payloadAt < 0) {
            String missing = typeSeen ? "payload" : payloadAt < 0 ? "type and payload" : "type";
            return new Malformed<>(Code.SUBIT_MISSING_FIELD, position(), "The packet must have " + missing + ".");
        }
        if (!message.getMetaPresent()) {
            message.setJsonMeta(List.of());
            message.setMeta(List.of());
        }
        return new Decoded<>(message, Warnings.listed(warnings), List.of(), isPlain());
    }

    private boolean packet() {
        if (peek() != '{') {
            return unexpected("A packet must be a JSON object.");
        }
        if (!open()) {
            return false;
        }
        for (boolean first = true; !closes('}'); first = false) {
            if (!key(first) || !member()) {
                return false;
            }
        }
        forgetKeys(0);
        return true;
    }

    /** Reads the value of the last key. */
    private boolean member() {
        int keyAt = stringStart() - 1;
        if (stringIs("type")) {
            noteRepeated(typeSeen, keyAt);
            typeSeen = true;
            return type();
        }
        if (stringIs("payload")) {
            noteRepeated(payloadAt >= 0, keyAt);
            return payload();
        }
        if (stringIs("meta")) {
            noteRepeated(metaSeen, keyAt);
            metaSeen = true;
            return meta();
        }
        return extra(keyAt);
    }

    private boolean type() {
        boolean string = peek() == '"';
        int at = position();
        if (!string) {
            noteError(Code.SUBIT_UNKNOWN_TYPE, at, "The type must be a string in quotes.");
            return JsonValues.skip(this);
        }
        if (!string()) {
            return false;
        }
        for (SubitType type : TYPES) {
            if (stringIs(type.name())) {
                message.setType(type);
                checkLength();
                return true;
            }
        }
        noteError(Code.SUBIT_UNKNOWN_TYPE, at, "The type must be STATE, INTENT, ACTION, PLAN, TRACE or ERROR.");
        return true;
    }

    private boolean payload() {
        boolean string = peek() == '"';
        payloadAt = position();
        if (!string) {
            noteError(
                    Code.SUBIT_PAYLOAD_TYPE,
                    payloadAt,
                    "The payload must be a string in quotes, which preserves leading zeros.");
            // Bits without quotes are the most common mistake: they count as a payload of the wrong type, although they
            // are not a JSON number.
            return paddedNumber() || JsonValues.skip(this);
        }
        if (!string()) {
            return false;
        }
        List<Integer> forms = SubitPayload.forms(wire, stringStart(), stringEnd(), this);
        if (forms != null) {
            message.setForms(forms);
            checkLength();
        }
        return true;
    }

    /** Checks the payload against the type, once both are known. */
    private void checkLength() {
        SubitType type = message.getType();
        if (type == null || message.getForms() == null) {
            return;
        }
        int forms = message.getForms().size();
        SubitForms.error(type, forms).ifPresent(code -> noteError(code, payloadAt, code.meaning()));
        if (type == SubitType.INTENT && forms > SubitForms.MAX_SHORT_INTENT) {
            warn(Code.SUBIT_LONG_INTENT);
        }
    }

    private boolean meta() {
        if (peek() == '{') {
            return SubitMeta.read(this, message);
        }
        int at = position();
        if (peek() != 'n') {
            noteError(Code.SUBIT_META_TYPE, at, "meta must be a JSON object or absent.");
        }
        // A value that starts with n is null, or else a lexical error.
        return JsonValues.skip(this);
    }

    private boolean extra(int keyAt) {
        rememberKey();
        String key = text();
        boolean isJson = peek() != '"';
        String value = JsonValues.text(this);
        if (value == null) {
            return false;
        }
        if (message.getExtras().isEmpty()) {
            message.setExtras(new ArrayList<>());
        }
        message.getExtras().add(new SubitEntry(key, value, isJson));
        departure(Code.SUBIT_EXTRA_KEY, keyAt, "A packet must have only the keys type, payload and meta.");
        return true;
    }

    /** Adds a format warning, which is an error under the strict profile. */
    void departure(Code code, int at, String detail) {
        if (strict) {
            noteError(code, at, detail);
        } else {
            warn(code);
        }
    }

    /** Adds a warning of both profiles. */
    void warn(Code code) {
        warnings = Warnings.with(warnings, code);
    }

    private void noteRepeated(boolean repeated, int keyAt) {
        if (repeated) {
            noteDuplicate(keyAt);
        }
    }
}
