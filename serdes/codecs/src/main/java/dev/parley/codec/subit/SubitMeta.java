package dev.parley.codec.subit;

import dev.parley.avro.SubitEntry;
import dev.parley.avro.SubitMessage;
import dev.parley.codec.Code;
import dev.parley.codec.IsoTimestamp;
import java.util.ArrayList;
import java.util.List;

/** Reads the meta object of a packet: agent, timestamp, session and any other keys. */
final class SubitMeta {
    // Bits of the defined keys, in their order.
    private static final int AGENT = 1;
    private static final int TIMESTAMP = 2;
    private static final int SESSION = 4;

    private final SubitReader json;
    private final SubitMessage message;
    private List<SubitEntry> others = List.of();
    private int seen;
    private int notStrings;

    private SubitMeta(SubitReader json, SubitMessage message) {
        this.json = json;
        this.message = message;
    }

    /** Reads the object at its opening brace into a message. Returns false after a lexical error. */
    static boolean read(SubitReader json, SubitMessage message) {
        SubitMeta meta = new SubitMeta(json, message);
        boolean valid = json.object(meta::member);
        message.setMetaPresent(valid);
        message.setJsonMeta(names(meta.notStrings));
        message.setMeta(meta.others);
        return valid;
    }

    private boolean member() {
        int known = known(json);
        String key = "";
        if (known == 0) {
            json.rememberKey();
            key = json.text();
        } else if ((seen & known) != 0) {
            json.noteDuplicate(json.stringStart() - 1);
        }
        seen |= known;
        boolean isJson = json.peek() != '"';
        String value = JsonValues.text(json);
        if (value == null) {
            return false;
        }
        if (isJson) {
            notStrings |= known;
            json.warn(Code.SUBIT_META_VALUE);
        }
        switch (known) {
            case AGENT -> message.setAgent(value);
            case TIMESTAMP -> {
                message.setTimestamp(value);
                if (isJson || !IsoTimestamp.isValid(value)) {
                    json.warn(Code.SUBIT_BAD_TIMESTAMP);
                }
            }
            case SESSION -> message.setSession(value);
            default -> {
                others = others.isEmpty() ? new ArrayList<>() : others;
                others.add(new SubitEntry(key, value, isJson));
            }
        }
        return true;
    }

    /** The bit of the defined key that equals the current string; 0 if there is none. */
    private static int known(JsonScanner json) {
        if (json.stringIs("agent")) {
            return AGENT;
        }
        if (json.stringIs("timestamp")) {
            return TIMESTAMP;
        }
        return json.stringIs("session") ? SESSION : 0;
    }

    private static List<String> names(int known) {
        if (known == 0) {
            return List.of();
        }
        List<String> names = new ArrayList<>(3);
        for (int key = 0; key < SubitWriter.META_KEYS.size(); key++) {
            if ((known & 1 << key) != 0) {
                names.add(SubitWriter.META_KEYS.get(key));
            }
        }
        return names;
    }
}
