package dev.parley.codec.subit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.SubitEntry;
import dev.parley.avro.SubitMessage;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.codec.Limits;
import dev.parley.codec.Utf8;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes one packet in canonical form: compact JSON, the keys type, payload, meta (agent, timestamp, session, then others in their order), then
 * extra keys in their order.
 */
final class SubitWriter {

    /** The keys of a packet that the protocol names. */
    static final List<String> KEYS = List.of("type", "payload", "meta");

    /** The keys of meta that the protocol names. */
    static final List<String> META_KEYS = List.of("agent", "timestamp", "session");

    /** Room for a packet with meta and a few forms; more is taken when it is needed. */
    private static final int USUAL_BYTES = 192;

    private final JsonWriter out = new JsonWriter(USUAL_BYTES);
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
        out.symbol('"');
        meta();
        requireDistinct(message.getExtras(), KEYS, "extras");
        for (SubitEntry entry : message.getExtras()) {
            out.symbol(',');
            member(entry.getKey(), entry.getValue(), entry.getJson(), "extras");
        }
        out.symbol('}');
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
        int json = known("agent", message.getAgent());
        json += known("timestamp", message.getTimestamp());
        json += known("session", message.getSession());
        require(json == message.getJsonMeta().size(), "jsonMeta");
        requireDistinct(message.getMeta(), META_KEYS, "meta");
        for (SubitEntry entry : message.getMeta()) {
            member(entry.getKey(), entry.getValue(), entry.getJson(), "meta");
            out.symbol(',');
        }
        if (out.length() > empty) {
            out.dropLast();
        }
        out.symbol('}');
    }

    /** Writes a key that the protocol names, with a comma behind; answers 1 when its value is JSON. */
    private int known(String key, String value) {
        if (value == null) {
            return 0;
        }
        boolean json = message.getJsonMeta().contains(key);
        member(key, value, json, key);
        out.symbol(',');
        return json ? 1 : 0;
    }

    private void member(String key, String value, boolean json, String field) {
        text(field, key);
        out.symbol(':');
        if (json) {
            requireCompactJson(field, value);
            byte[] utf8 = value.getBytes(UTF_8);
            out.raw(utf8, 0, utf8.length);
        } else {
            text(field, value);
        }
    }

    private void text(String field, String text) {
        if (!out.string(text)) {
            throw refusedText(field, Utf8.firstLoneSurrogate(text));
        }
    }

    /** Refuses a number of forms that the type does not allow. */
    static void requireLength(SubitType type, int forms) {
        Code fault = SubitForms.fault(type, forms).orElse(null);
        if (fault != null) {
            throw refused("forms: " + fault.meaning());
        }
    }

    /** Refuses what six bits cannot say. */
    static void requireForm(int form) {
        if (form < 0 || form >= 1 << SubitForms.BITS) {
            throw refused("forms: " + form + " is not 0 to 63");
        }
    }

    /** Refuses a key or a value that would not read back the same. */
    static void requireMember(String field, String key, String value, boolean json) {
        requireUtf8(field, key);
        if (json) {
            requireCompactJson(field, value);
        } else {
            requireUtf8(field, value);
        }
    }

    private static void requireUtf8(String field, String text) {
        int bad = Utf8.firstLoneSurrogate(text);
        if (bad >= 0) {
            throw refusedText(field, bad);
        }
    }

    private static IllegalArgumentException refusedText(String field, int bad) {
        return refused(field + ": half a surrogate pair at character " + bad);
    }

    /** Refuses what is not one JSON value, no string, written as the reader would write it. */
    private static void requireCompactJson(String field, String text) {
        requireUtf8(field, text);
        if (text.startsWith("\"")) {
            throw refused(field + ": a JSON string stands as its plain text");
        }
        byte[] bytes = text.getBytes(UTF_8);
        JsonScanner json = new JsonScanner(bytes, 0, Limits.NONE);
        String compact = JsonValues.text(json);
        if (compact == null || !json.ends()) {
            throw refusedJson(field, bytes, json.fault().offset(), json.fault().detail());
        }
        if (json.firstDuplicate() >= 0) {
            throw refusedJson(field, bytes, json.firstDuplicate(), "A key stands twice.");
        }
        if (!text.equals(compact)) {
            throw refused(field + ": JSON that is not compact, which is " + compact);
        }
    }

    private static IllegalArgumentException refusedJson(String field, byte[] json, int offset, String detail) {
        return refused(field + ": no JSON at character " + new String(json, 0, offset, UTF_8).length() + ": " + detail);
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
        return new IllegalArgumentException("SUBIT-Agent cannot say what the message holds in " + field);
    }
}
