package dev.parley.codec.csp;

import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import java.util.HashSet;
import java.util.Set;

/** Tracks undefined keys, none of which may be repeated. */
final class CspUnknownKeys {
    private final Diagnostics findings;
    private final Set<String> seen = new HashSet<>();

    CspUnknownKeys(Diagnostics findings) {
        this.findings = findings;
    }

    void note(String key, int offset) {
        findings.value(Code.CSP_UNKNOWN_KEY, offset, "CSP/1 does not define this key here.");
        if (!seen.add(key)) {
            findings.duplicate(Code.CSP_DUPLICATE_KEY, offset, "This key is repeated.");
        }
    }

    /**
     * Whether a key is a definition (CSP v1 "PROJECT DEFs", "PROJECT LAWS"). Such lines form a list, so the key may be
     * repeated.
     */
    static boolean isDefinition(String key) {
        return key.equals("DEF") || key.equals("LAWS");
    }
}
