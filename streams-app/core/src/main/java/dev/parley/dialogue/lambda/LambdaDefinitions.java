package dev.parley.dialogue.lambda;

import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDefinition;
import dev.parley.dialogue.StoredText;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Definitions in force in a Λ conversation (docs/protocols.md L26), oldest first. Works on its own copy. */
public final class LambdaDefinitions {
    /** Maximum number of changes that a citation names; the audit record contains the whole message. */
    private static final int CHANGES_SHOWN = 8;

    private final Map<String, LambdaDefined> inForce = new LinkedHashMap<>();
    private String changes = "";
    private final long sequence;
    private boolean anyHash;
    private int changed;

    /**
     * Applies the definitions of a message.
     *
     * @param before definitions before the message; not changed
     * @param made definitions of the message, in order
     * @param limit maximum number of stored definitions; beyond it, the oldest are removed first
     * @param sequence sequence of the message's audit record
     */
    public LambdaDefinitions(List<LambdaDefined> before, List<LambdaDefinition> made, int limit, long sequence) {
        this.sequence = sequence;
        for (LambdaDefined defined : before) {
            inForce.put(defined.getName(), defined);
            anyHash |= StoredText.isHash(defined.getName());
        }
        int number = 0;
        for (LambdaDefinition definition : made) {
            number++;
            define(number, definition.getName(), definition.getValue(), limit);
        }
    }

    /** Whether a definition got another value. */
    public boolean changed() {
        return changed > 0;
    }

    /**
     * Describes the changed definitions for the citation. It quotes no values: the earlier one may be redacted, and a
     * citation is permanent.
     */
    public String changes() {
        return changed > CHANGES_SHOWN ? changes + "; and " + (changed - CHANGES_SHOWN) + " more" : changes;
    }

    /** The definitions after the message. */
    public List<LambdaDefined> inForce() {
        return new ArrayList<>(inForce.values());
    }

    private void define(int number, String name, String value, int limit) {
        String key = new StoredText(name).keyIn(inForce, anyHash);
        LambdaDefined old = inForce.remove(key);
        if (old != null && !new StoredText(value).matches(old.getValue())) {
            changed++;
            if (changed <= CHANGES_SHOWN) {
                changes += (changed == 1 ? "" : "; ") + "definition " + number + " changes the value set at sequence "
                        + old.getSequence();
            }
        }
        if (inForce.size() == limit) {
            Iterator<String> oldest = inForce.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        String kept = StoredText.encode(name);
        inForce.put(kept, new LambdaDefined(kept, StoredText.encode(value), sequence));
    }
}
