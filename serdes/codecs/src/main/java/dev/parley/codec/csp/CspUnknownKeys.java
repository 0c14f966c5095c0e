package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import dev.parley.codec.Excerpt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Undefined keys, none of which may be repeated. */
final class CspUnknownKeys {
    private CspUnknownKeys() {}

    /** Adds a key to those before, which are null if there is none, and returns them. */
    static Set<String> with(Set<String> before, String key, int offset, Diagnostics findings) {
        findings.value(Code.CSP_UNKNOWN_KEY, offset, "CSP/1 does not define this key here.");
        Set<String> keys = before == null ? new HashSet<>() : before;
        if (!keys.add(key)) {
            findings.duplicate(Code.CSP_DUPLICATE_KEY, offset, "This key is repeated.");
        }
        return keys;
    }

    /** Names the parts of a decoded message for which it has CSP_UNKNOWN_KEY. */
    static List<String> in(CspMessage message) {
        CspBlock block = CspBlock.of(message.getIntent());
        List<String> unknown = new ArrayList<>();
        for (CspField field : message.getHeaderFields()) {
            if (!isDefinition(field.getKey())) {
                unknown.add(Excerpt.of(field.getKey()));
            }
        }
        for (CspField field : block.isGeneric() ? List.<CspField>of() : message.getFields()) {
            if (field.getKey().equals(block.name())) {
                unknown.add("text after the first line of " + block);
            } else if (!isDefinition(field.getKey())) {
                unknown.add(Excerpt.of(field.getKey()));
            }
        }
        return unknown;
    }

    /**
     * Whether a key is a definition (CSP v1 "PROJECT DEFs", "PROJECT LAWS"). Such lines form a list, so the key may be
     * repeated.
     */
    static boolean isDefinition(String key) {
        return key.equals("DEF") || key.equals("LAWS");
    }
}
