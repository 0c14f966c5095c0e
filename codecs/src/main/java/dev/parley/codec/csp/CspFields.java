package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.codec.Code;
import dev.parley.codec.csp.CspFindings.Rank;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects the keys that have no field of their own in the record. */
final class CspFields {
    private final CspFindings findings;
    private List<CspField> fields = List.of();
    private Set<String> seen;

    CspFields(CspFindings findings) {
        this.findings = findings;
    }

    /** Adds a key that may stand any number of times. */
    CspField add(String key, String value) {
        if (fields.isEmpty()) {
            fields = new ArrayList<>(4);
        }
        CspField field = new CspField(key, value);
        fields.add(field);
        return field;
    }

    /** Adds a key that the document does not define, and that may stand once. */
    CspField addUnknown(String key, String value, int offset) {
        findings.note(Rank.VALUE, Code.CSP_UNKNOWN_KEY, offset, "CSP/1 does not define this key here.");
        if (seen == null) {
            seen = new HashSet<>();
        }
        if (!seen.add(key)) {
            findings.note(Rank.DUPLICATE, Code.CSP_DUPLICATE_KEY, offset, "This key stands a second time.");
        }
        return add(key, value);
    }

    /** Adds the rest of the block's first line, which comes before all other fields. */
    CspField addFirst(String key, String value) {
        add(key, value);
        CspField field = fields.remove(fields.size() - 1);
        fields.add(0, field);
        return field;
    }

    List<CspField> list() {
        return fields;
    }

    /** Whether a key defines something (CSP v1 "PROJECT DEFs", "PROJECT LAWS"); such lines are a list, so the key may stand any number of times. */
    static boolean isDefinition(String key) {
        return key.equals("DEF") || key.equals("LAWS");
    }
}
