package dev.parley.codec.subit;

import dev.parley.avro.SubitEntry;
import dev.parley.avro.SubitMessage;
import dev.parley.codec.Code;
import dev.parley.codec.IsoTimestamp;
import dev.parley.codec.Placeholder;
import dev.parley.codec.json.JsonScanner;
import dev.parley.codec.json.JsonValues;
import java.util.ArrayList;
import java.util.List;

/** Reads the meta object of a packet: agent, timestamp, session and any other keys. */
final class SubitMeta {
    // Bits of the defined keys, in their order.
    private static final int AGENT = 1;
    private static final int TIMESTAMP = 2;
    private static final int SESSION = 4;

    private SubitMeta() {}

    /** Reads the object at its opening brace into a message. Returns false after a lexical error. */
    static boolean read(SubitReader json, SubitMessage message) {
        if (!json.open()) {
            return false;
        }
        int outerKeys = json.rememberedKeys();
        List<SubitEntry> others = List.of();
        int seen = 0;
        int notStrings = 0;
        for (boolean first = true; !json.closes('}'); first = false) {
            if (!json.key(first)) {
                return false;
            }
            int known = known(json);
            String key = "";
            if (known == 0) {
                key = json.text();
                json.rememberKey();
            } else if ((seen & known) != 0) {
                json.noteDuplicate(json.stringStart() - 1);
            }
            seen |= known;
            boolean isJson = json.peek() != '"';
            int at = json.position();
            String value = JsonValues.text(json);
            if (value == null) {
                return false;
            }
            if (known != 0 && Placeholder.is(value)) {
                json.noteError(Code.SUBIT_TEMPLATE, at, Placeholder.DETAIL);
            }
            notStrings |= isJson ? known : 0;
            if (isJson || (known & (AGENT | SESSION)) != 0 && Placeholder.isMissing(value)) {
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
        }
        json.forgetKeys(outerKeys);
        message.setMetaPresent(true);
        message.setJsonMeta(names(notStrings));
        message.setMeta(others);
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
