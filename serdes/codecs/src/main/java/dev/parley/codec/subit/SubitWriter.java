package dev.parley.codec.subit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.SubitEntry;
import dev.parley.avro.SubitMessage;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.Placeholder;
import dev.parley.codec.Utf8;
import dev.parley.codec.json.JsonScanner;
import dev.parley.codec.json.JsonValues;
import dev.parley.codec.json.JsonWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Encodes one packet in canonical form: compact JSON with the keys type, payload and meta (agent, timestamp, session,
 * then others in their order), then extra keys in their order.
 */
final class SubitWriter {

    /** The defined keys of a packet. */
    static final List<String> KEYS = List.of("type", "payload", "meta");

    /** The defined keys of meta. */
    static final List<String> META_KEYS = List.of("agent", "timestamp", "session");

    /** Initial size, enough for a packet with meta and a few forms. */
    private static final int INITIAL_BYTES = 192;

    private final JsonWriter out = new JsonWriter(INITIAL_BYTES);
    private final SubitMessage message;

    private SubitWriter(SubitMessage message) {
        this.message = message;
    }

    static byte[] write(SubitMessage message) {
        return new SubitWriter(message).write();
    }

    private byte[] write() {
        require(message.getType() != null && message.getType() != SubitType.UNKNOWN, "type");
        out.raw("{\"type\":\"");
        out.raw(message.getType().name());
        out.raw("\",\"payload\":\"");
        forms(message.getForms());
        out.octet('"');
        meta();
        requireDistinct(message.getExtras(), KEYS, "extras");
        for (SubitEntry entry : message.getExtras()) {
            out.octet(',');
            member(entry.getKey(), entry.getValue(), entry.getJson(), "extras");
        }
        out.octet('}');
        return out.toBytes();
    }

    private void forms(List<Integer> forms) {
        requireLength(message.getType(), forms.size());
        for (int form : forms) {
            requireForm(form);
            out.bits(form, SubitForms.BITS);
        }
    }

    private void meta() {
        if (!message.getMetaPresent()) {
            require(
                    message.getAgent() == null
                            && message.getTimestamp() == null
                            && message.getSession() == null
                            && message.getJsonMeta().isEmpty()
                            && message.getMeta().isEmpty(),
                    "metaPresent");
            return;
        }
        out.raw(",\"meta\":{");
        int empty = out.length();
        int json = known("agent", message.getAgent(), 0);
        json = known("timestamp", message.getTimestamp(), json);
        json = known("session", message.getSession(), json);
        require(json == message.getJsonMeta().size(), "jsonMeta: must name agent, timestamp and session in this order");
        requireDistinct(message.getMeta(), META_KEYS, "meta");
        for (SubitEntry entry : message.getMeta()) {
            member(entry.getKey(), entry.getValue(), entry.getJson(), "meta");
            out.octet(',');
        }
        if (out.length() > empty) {
            out.dropLast();
        }
        out.octet('}');
    }

    /**
     * Writes a defined key with a comma after it. The reader lists JSON values in the order of the keys, so a list in
     * another order would not be read back.
     *
     * @param next index in {@code jsonMeta} of the next key with a JSON value
     * @return the index after this key
     */
    private int known(String key, String value, int next) {
        if (value == null) {
            return next;
        }
        requireFilled(key, value);
        boolean json = next < message.getJsonMeta().size()
                && message.getJsonMeta().get(next).equals(key);
        member(key, value, json, key);
        out.octet(',');
        return json ? next + 1 : next;
    }

    private void member(String key, String value, boolean json, String field) {
        text(field, key);
        out.octet(':');
        if (json) {
            requireCompactJson(field, value);
            byte[] utf8 = value.getBytes(UTF_8);
            out.raw(utf8, 0, utf8.length);
        } else {
            text(field, value);
        }
    }

    private void text(String field, String text) {
        requireUtf8(field, text);
        out.string(text);
    }

    /** Refuses a number of forms that the type does not allow. */
    static void requireLength(SubitType type, int forms) {
        Code error = SubitForms.error(type, forms).orElse(null);
        if (error != null) {
            throw refused("forms: " + error.meaning());
        }
    }

    /** Refuses a form that does not fit into six bits. */
    static void requireForm(int form) {
        if (form < 0 || form >= 1 << SubitForms.BITS) {
            throw refused("forms: must be 0 to 63, but was " + form);
        }
    }

    /** Refuses a key or a value that would decode differently. */
    static void requireMember(String field, String key, String value, boolean json) {
        requireUtf8(field, key);
        if (json) {
            requireCompactJson(field, value);
        } else {
            requireUtf8(field, value);
        }
    }

    /** Refuses a placeholder of a template. */
    static void requireFilled(String field, String value) {
        require(!Placeholder.is(value), field + ": must be filled in");
    }

    private static void requireUtf8(String field, String text) {
        int bad = Utf8.firstLoneSurrogate(text);
        if (bad >= 0) {
            throw refused(field + ": unpaired surrogate at character " + bad);
        }
    }

    /** Refuses text other than one JSON value, not a string, in the form of the reader. */
    private static void requireCompactJson(String field, String text) {
        requireUtf8(field, text);
        if (text.startsWith("\"")) {
            throw refused(field + ": a JSON string must be given as its plain text");
        }
        byte[] bytes = text.getBytes(UTF_8);
        JsonScanner json = new JsonScanner(bytes, 0, Limits.NONE, SubitReader.CODES);
        String compact = JsonValues.text(json);
        if (compact == null || !json.ends()) {
            Malformed<?> error = json.error();
            throw refusedJson(field, bytes, error.offset(), error.detail());
        }
        if (json.firstDuplicate() >= 0) {
            throw refusedJson(field, bytes, json.firstDuplicate(), "A key is repeated.");
        }
        if (!text.equals(compact)) {
            throw refused(field + ": JSON must be compact: " + compact);
        }
    }

    private static IllegalArgumentException refusedJson(String field, byte[] json, int offset, String detail) {
        return refused(
                field + ": invalid JSON at character " + new String(json, 0, offset, UTF_8).length() + ": " + detail);
    }

    private static void requireDistinct(List<SubitEntry> entries, List<String> named, String field) {
        if (entries.isEmpty()) {
            return;
        }
        Set<String> keys = new HashSet<>(named);
        for (SubitEntry entry : entries) {
            require(keys.add(entry.getKey()), field);
        }
    }

    private static void require(boolean condition, String field) {
        if (!condition) {
            throw refused(field);
        }
    }

    private static IllegalArgumentException refused(String field) {
        return new IllegalArgumentException("SUBIT-Agent cannot represent " + field);
    }
}
