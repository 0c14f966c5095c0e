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
import java.util.ArrayList;
import java.util.List;

/**
 * Reads one packet in one pass. The {@link JsonScanner} stops at the first lexical error; semantic errors are only
 * noted, because later lexical errors and repeated keys take precedence.
 */
final class SubitReader {
    private static final List<SubitType> TYPES = List.of(
            SubitType.STATE, SubitType.INTENT, SubitType.ACTION, SubitType.PLAN, SubitType.TRACE, SubitType.ERROR);

    private final JsonScanner json;
    private final SubitDiagnostics findings;
    private final SubitMessage message = new SubitMessage();

    private boolean typeSeen;
    private boolean metaSeen;
    private int payloadAt = -1;

    private SubitReader(JsonScanner json, SubitDiagnostics findings) {
        this.json = json;
        this.findings = findings;
        message.setExtras(List.of());
    }

    static DecodeResult<SubitMessage> read(byte[] wire, DecodeOptions options) {
        int max = options.limits().messageBytes();
        if (wire.length > max) {
            return new Malformed<>(Code.MESSAGE_TOO_LARGE, max, "A message must have at most " + max + " bytes.");
        }
        SubitDiagnostics findings = new SubitDiagnostics(options.strict());
        int start = 0;
        if (Utf8.startsWithMark(wire)) {
            findings.departure(Code.BYTE_ORDER_MARK, 0, "Send the packet without the byte order mark.");
            if (findings.error() != null) {
                return findings.error();
            }
            start = Utf8.MARK_LENGTH;
        }
        return new SubitReader(new JsonScanner(wire, start, options.limits()), findings).read();
    }

    private DecodeResult<SubitMessage> read() {
        if (!packet() || !json.ends()) {
            return json.error();
        }
        if (json.firstDuplicate() >= 0) {
            return new Malformed<>(
                    Code.SUBIT_DUPLICATE_KEY, json.firstDuplicate(), "This key is repeated in its object.");
        }
        if (findings.error() != null) {
            return findings.error();
        }
        if (!typeSeen || payloadAt < 0) {
            String missing = typeSeen ? "payload" : payloadAt < 0 ? "type and payload" : "type";
            return new Malformed<>(Code.SUBIT_MISSING_FIELD, json.position(), "The packet must have " + missing + ".");
        }
        if (!message.getMetaPresent()) {
            message.setJsonMeta(List.of());
            message.setMeta(List.of());
        }
        return new Decoded<>(message, findings.warnings(), List.of());
    }

    private boolean packet() {
        if (json.peek() != '{') {
            return json.unexpected("A packet must be a JSON object.");
        }
        if (!json.open()) {
            return false;
        }
        for (boolean first = true; !json.closes('}'); first = false) {
            if ((!first && !json.comma()) || !json.key() || !member()) {
                return false;
            }
        }
        json.forgetKeys(0);
        return true;
    }

    /** Reads the value of the last key. */
    private boolean member() {
        int keyAt = json.stringStart() - 1;
        if (json.stringIs("type")) {
            noteRepeated(typeSeen, keyAt);
            typeSeen = true;
            return type();
        }
        if (json.stringIs("payload")) {
            noteRepeated(payloadAt >= 0, keyAt);
            return payload();
        }
        if (json.stringIs("meta")) {
            noteRepeated(metaSeen, keyAt);
            metaSeen = true;
            return meta();
        }
        return extra(keyAt);
    }

    private boolean type() {
        boolean string = json.peek() == '"';
        int at = json.position();
        if (!string) {
            findings.error(Code.SUBIT_UNKNOWN_TYPE, at, "The type must be a string in quotes.");
            return JsonValues.skip(json);
        }
        if (!json.string()) {
            return false;
        }
        for (SubitType type : TYPES) {
            if (json.stringIs(type.name())) {
                message.setType(type);
                checkLength();
                return true;
            }
        }
        findings.error(Code.SUBIT_UNKNOWN_TYPE, at, "The type must be STATE, INTENT, ACTION, PLAN, TRACE or ERROR.");
        return true;
    }

    private boolean payload() {
        boolean string = json.peek() == '"';
        payloadAt = json.position();
        if (!string) {
            findings.error(
                    Code.SUBIT_PAYLOAD_TYPE,
                    payloadAt,
                    "The payload must be a string in quotes, which preserves leading zeros.");
            // Bits without quotes are the most common mistake: they count as a payload of the wrong type, although they
            // are not a JSON number.
            return json.paddedNumber() || JsonValues.skip(json);
        }
        if (!json.string()) {
            return false;
        }
        List<Integer> forms = SubitPayload.forms(json.wire(), json.stringStart(), json.stringEnd(), findings);
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
        SubitForms.error(type, forms).ifPresent(code -> findings.error(code, payloadAt, code.meaning()));
        if (type == SubitType.INTENT && forms > SubitForms.MAX_SHORT_INTENT) {
            findings.warn(Code.SUBIT_LONG_INTENT);
        }
    }

    private boolean meta() {
        if (json.peek() == '{') {
            return SubitMeta.read(json, message, findings);
        }
        int at = json.position();
        if (json.peek() != 'n') {
            findings.error(Code.SUBIT_META_TYPE, at, "meta must be a JSON object or absent.");
        }
        // A value that starts with n is null, or else a lexical error.
        return JsonValues.skip(json);
    }

    private boolean extra(int keyAt) {
        String key = json.text();
        json.rememberKey();
        boolean isJson = json.peek() != '"';
        String value = JsonValues.text(json);
        if (value == null) {
            return false;
        }
        if (message.getExtras().isEmpty()) {
            message.setExtras(new ArrayList<>());
        }
        message.getExtras().add(new SubitEntry(key, value, isJson));
        findings.departure(Code.SUBIT_EXTRA_KEY, keyAt, "A packet must have only the keys type, payload and meta.");
        return true;
    }

    private void noteRepeated(boolean repeated, int keyAt) {
        if (repeated) {
            json.noteDuplicate(keyAt);
        }
    }
}
