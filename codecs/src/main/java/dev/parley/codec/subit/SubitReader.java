package dev.parley.codec.subit;

import dev.parley.avro.SubitMessage;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Utf8;
import dev.parley.codec.Warnings;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads one packet in one walk. The {@link JsonScanner} stops the walk at the first lexical fault; a fault in the meaning of a value is only
 * noted, because lexical faults and duplicate keys behind it come first.
 */
final class SubitReader {
    private static final List<SubitType> TYPES = List.of(
            SubitType.STATE, SubitType.INTENT, SubitType.ACTION, SubitType.PLAN, SubitType.TRACE, SubitType.ERROR);

    private static final int AGENT = 1;
    private static final int TIMESTAMP = 2;
    private static final int SESSION = 4;

    private final byte[] wire;
    private final boolean strict;
    private final JsonScanner json;
    private final Warnings warnings = new Warnings();
    private final SubitMessage message = new SubitMessage();
    private final SubitEntries extras = new SubitEntries();

    private boolean typeSeen;
    private int payloadAt = -1;
    private boolean metaSeen;
    private Malformed<SubitMessage> valueFault;

    private SubitReader(byte[] wire, DecodeOptions options) {
        this.wire = wire;
        this.strict = options.strict();
        this.json = new JsonScanner(wire, Utf8.startsWithMark(wire) ? Utf8.MARK_LENGTH : 0, options.limits());
    }

    static DecodeResult<SubitMessage> read(byte[] wire, DecodeOptions options) {
        int most = options.limits().messageBytes();
        if (wire.length > most) {
            return new Malformed<>(Code.MESSAGE_TOO_LARGE, most, "A message has at most " + most + " bytes.");
        }
        return new SubitReader(wire, options).read();
    }

    private DecodeResult<SubitMessage> read() {
        if (Utf8.startsWithMark(wire)) {
            warn(Code.BYTE_ORDER_MARK, 0, "Send the packet without the byte order mark.");
            if (strict) {
                return valueFault;
            }
        }
        if (!packet() || !json.ends()) {
            return json.fault();
        }
        if (json.firstDuplicate() >= 0) {
            return new Malformed<>(
                    Code.SUBIT_DUPLICATE_KEY, json.firstDuplicate(), "This key stands in its object already.");
        }
        if (valueFault != null) {
            return valueFault;
        }
        if (!typeSeen || payloadAt < 0) {
            return new Malformed<>(
                    Code.SUBIT_MISSING_FIELD,
                    wire.length,
                    "The packet has no " + (typeSeen ? "payload" : payloadAt < 0 ? "type and no payload" : "type")
                            + ".");
        }
        message.setExtras(extras.list());
        if (!message.getMetaPresent()) {
            message.setJsonMeta(List.of());
            message.setMeta(List.of());
        }
        return new Decoded<>(message, warnings.codes(), List.of());
    }

    private boolean packet() {
        if (json.peek() != '{') {
            return json.unexpected("A packet is a JSON object.");
        }
        if (!json.open()) {
            return false;
        }
        for (boolean first = true; !json.closes('}'); first = false) {
            if (!first && !json.comma()) {
                return false;
            }
            json.peek();
            int keyAt = json.position();
            if (!json.key() || !member(keyAt)) {
                return false;
            }
        }
        return true;
    }

    /** Reads the value of the key that was just taken. */
    private boolean member(int keyAt) {
        if (json.stringIs("type")) {
            noteRepeated(typeSeen, keyAt);
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
        String key = json.text();
        boolean isJson = json.peek() != '"';
        String value = value(isJson);
        if (value == null) {
            return false;
        }
        noteRepeated(!extras.add(key, value, isJson), keyAt);
        warn(Code.SUBIT_EXTRA_KEY, keyAt, "A packet has the keys type, payload and meta.");
        return true;
    }

    private boolean type() {
        typeSeen = true;
        if (json.peek() == '"') {
            int at = json.position();
            if (!json.string()) {
                return false;
            }
            message.setType(SubitType.UNKNOWN);
            for (SubitType type : TYPES) {
                if (json.stringIs(type.name())) {
                    message.setType(type);
                }
            }
            if (message.getType() == SubitType.UNKNOWN) {
                fault(Code.SUBIT_UNKNOWN_TYPE, at, "The types are STATE, INTENT, ACTION, PLAN, TRACE and ERROR.");
            }
            checkLength();
            return true;
        }
        int at = json.position();
        fault(Code.SUBIT_UNKNOWN_TYPE, at, "The type is a string in quotes.");
        return json.value(new StringBuilder());
    }

    private boolean payload() {
        boolean string = json.peek() == '"';
        payloadAt = json.position();
        if (!string) {
            fault(
                    Code.SUBIT_PAYLOAD_TYPE,
                    payloadAt,
                    "The payload is a string in quotes, or its leading zeros are lost.");
            // Bits without quotes are the likeliest mistake: here they are a payload of the wrong type, though JSON has
            // no such number.
            return json.paddedNumber() || json.value(new StringBuilder());
        }
        if (!json.string()) {
            return false;
        }
        int bits = countBits();
        if (bits >= 0 && (bits == 0 || bits % SubitForms.BITS != 0)) {
            fault(Code.SUBIT_PAYLOAD_LENGTH, payloadAt, "The payload has " + bits + " bits; forms have six bits each.");
        } else if (bits > 0) {
            message.setForms(forms(bits / SubitForms.BITS));
            checkLength();
        }
        return true;
    }

    /** Number of bits in the payload, or -1 when it has another character. */
    private int countBits() {
        int bits = 0;
        int firstSpace = -1;
        int lastSpace = -1;
        boolean afterSpace = true;
        for (int at = json.stringStart(); at < json.stringEnd(); at += widthAt(at)) {
            int character = characterAt(at);
            if (character == '0' || character == '1') {
                bits++;
                afterSpace = false;
            } else if (character == ' ' && !afterSpace && bits % SubitForms.BITS == 0) {
                firstSpace = firstSpace < 0 ? at : firstSpace;
                lastSpace = at;
                afterSpace = true;
            } else {
                return failOnCharacter(at);
            }
        }
        if (afterSpace && lastSpace >= 0) {
            return failOnCharacter(lastSpace);
        }
        if (firstSpace >= 0) {
            warn(Code.SUBIT_PAYLOAD_SPACED, firstSpace, "Write the forms without spaces between them.");
        }
        return bits;
    }

    private int failOnCharacter(int at) {
        fault(
                Code.SUBIT_PAYLOAD_CHARACTER,
                at,
                "A payload has the characters 0 and 1, and at most single spaces between groups of six.");
        return -1;
    }

    private List<Integer> forms(int count) {
        List<Integer> forms = new ArrayList<>(count);
        int form = 0;
        int bits = 0;
        for (int at = json.stringStart(); at < json.stringEnd(); at += widthAt(at)) {
            int character = characterAt(at);
            if (character != ' ') {
                form = form << 1 | (character - '0');
                if (++bits == SubitForms.BITS) {
                    forms.add(form);
                    form = 0;
                    bits = 0;
                }
            }
        }
        return forms;
    }

    private int characterAt(int at) {
        return wire[at] == '\\' ? json.character(at) : wire[at];
    }

    private int widthAt(int at) {
        return wire[at] != '\\' ? 1 : wire[at + 1] == 'u' ? 6 : 2;
    }

    /** Holds the payload against the type, once both are known. */
    private void checkLength() {
        SubitType type = message.getType();
        if (type == null || type == SubitType.UNKNOWN || message.getForms() == null) {
            return;
        }
        int forms = message.getForms().size();
        SubitForms.fault(type, forms).ifPresent(code -> fault(code, payloadAt, code.meaning()));
        if (type == SubitType.INTENT && forms > SubitForms.SHORT_INTENT) {
            warnings.add(Code.SUBIT_LONG_INTENT);
        }
    }

    private boolean meta() {
        byte first = json.peek();
        int at = json.position();
        if (first == '{') {
            return metaObject();
        }
        StringBuilder value = new StringBuilder();
        if (!json.value(value)) {
            return false;
        }
        if (!value.toString().equals("null")) {
            fault(Code.SUBIT_META_TYPE, at, "meta is a JSON object, or it is left out.");
        }
        return true;
    }

    private boolean metaObject() {
        if (!json.open()) {
            return false;
        }
        message.setMetaPresent(true);
        SubitEntries others = new SubitEntries();
        int seen = 0;
        int asJson = 0;
        for (boolean first = true; !json.closes('}'); first = false) {
            if (!first && !json.comma()) {
                return false;
            }
            json.peek();
            int keyAt = json.position();
            if (!json.key()) {
                return false;
            }
            int known = knownMeta();
            String key = known == 0 ? json.text() : "";
            boolean isJson = json.peek() != '"';
            String value = value(isJson);
            if (value == null) {
                return false;
            }
            noteRepeated((seen & known) != 0, keyAt);
            seen |= known;
            if (isJson) {
                asJson |= known;
                warnings.add(Code.SUBIT_META_VALUE);
            }
            switch (known) {
                case AGENT -> message.setAgent(value);
                case TIMESTAMP -> setTimestamp(value, isJson);
                case SESSION -> message.setSession(value);
                default -> noteRepeated(!others.add(key, value, isJson), keyAt);
            }
        }
        message.setJsonMeta(namesOf(asJson));
        message.setMeta(others.list());
        return true;
    }

    private int knownMeta() {
        if (json.stringIs("agent")) {
            return AGENT;
        }
        if (json.stringIs("timestamp")) {
            return TIMESTAMP;
        }
        return json.stringIs("session") ? SESSION : 0;
    }

    private static List<String> namesOf(int known) {
        if (known == 0) {
            return List.of();
        }
        List<String> names = new ArrayList<>(3);
        if ((known & AGENT) != 0) {
            names.add("agent");
        }
        if ((known & TIMESTAMP) != 0) {
            names.add("timestamp");
        }
        if ((known & SESSION) != 0) {
            names.add("session");
        }
        return names;
    }

    private void setTimestamp(String value, boolean isJson) {
        message.setTimestamp(value);
        if (isJson || !IsoTimestamp.isValid(value)) {
            warnings.add(Code.SUBIT_BAD_TIMESTAMP);
        }
    }

    /** Takes the next value: the unescaped string, or compact JSON text; null after a lexical fault. */
    private String value(boolean isJson) {
        if (!isJson) {
            return json.string() ? json.text() : null;
        }
        StringBuilder text = new StringBuilder();
        return json.value(text) ? text.toString() : null;
    }

    private void noteRepeated(boolean repeated, int keyAt) {
        if (repeated) {
            json.noteDuplicate(keyAt);
        }
    }

    /** Notes a departure from form, which the strict profile makes a fault. */
    private void warn(Code code, int at, String detail) {
        if (strict) {
            fault(code, at, detail);
        } else {
            warnings.add(code);
        }
    }

    /** Notes a fault in the meaning; the first one counts, unless a lexical fault or a duplicate is found later. */
    private void fault(Code code, int at, String detail) {
        if (valueFault == null) {
            valueFault = new Malformed<>(code, at, detail);
        }
    }
}
