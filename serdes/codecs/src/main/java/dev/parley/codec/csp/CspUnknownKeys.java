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

/** Tracks undefined keys, none of which may be repeated. */
final class CspUnknownKeys {
    private final Diagnostics findings;
    private Set<String> seen;

    CspUnknownKeys(Diagnostics findings) {
        this.findings = findings;
    }

    void note(String key, int offset) {
        findings.value(Code.CSP_UNKNOWN_KEY, offset, "CSP/1 does not define this key here.");
        seen = seen == null ? new HashSet<>() : seen;
        if (!seen.add(key)) {
            findings.duplicate(Code.CSP_DUPLICATE_KEY, offset, "This key is repeated.");
        }
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
