package dev.parley.codec.csp;

import dev.parley.codec.Code;
import dev.parley.codec.csp.CspFindings.Rank;
import java.util.HashSet;
import java.util.Set;

/** Keys that the document does not define at their place; each may stand once. */
final class CspUnknownKeys {
    private final CspFindings findings;
    private final Set<String> seen = new HashSet<>();

    CspUnknownKeys(CspFindings findings) {
        this.findings = findings;
    }

    void note(String key, int offset) {
        findings.note(Rank.VALUE, Code.CSP_UNKNOWN_KEY, offset, "CSP/1 does not define this key here.");
        if (!seen.add(key)) {
            findings.note(Rank.DUPLICATE, Code.CSP_DUPLICATE_KEY, offset, "This key stands a second time.");
        }
    }

    /** Whether a key defines something (CSP v1 "PROJECT DEFs", "PROJECT LAWS"); such lines are a list, so the key may stand any number of times. */
    static boolean isDefinition(String key) {
        return key.equals("DEF") || key.equals("LAWS");
    }
}
