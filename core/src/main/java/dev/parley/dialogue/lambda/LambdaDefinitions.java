package dev.parley.dialogue.lambda;

import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDefinition;
import dev.parley.dialogue.KeptText;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The definitions in force in a Λ conversation (PROTOCOLS L26), least recently made first. Works on its own copy. */
public final class LambdaDefinitions {
    /** Maximum number of changes that a citation names; the audit record has the message itself. */
    private static final int CHANGES_SHOWN = 8;

    private final Map<String, LambdaDefined> inForce = new LinkedHashMap<>();
    private final StringBuilder changes = new StringBuilder();
    private final long sequence;
    private boolean anySealed;
    private int changed;

    /**
     * @param before the definitions before the message; not changed
     * @param made what the message defines, in its order
     * @param limit most definitions that are remembered; beyond, the least recently made go first
     * @param sequence sequence of the message's audit record
     */
    public LambdaDefinitions(List<LambdaDefined> before, List<LambdaDefinition> made, int limit, long sequence) {
        this.sequence = sequence;
        for (LambdaDefined defined : before) {
            inForce.put(defined.getName(), defined);
            anySealed |= KeptText.isSealed(defined.getName());
        }
        int number = 0;
        for (LambdaDefinition definition : made) {
            number++;
            define(number, definition.getName(), definition.getValue(), limit);
        }
    }

    /** Whether a definition was given another value. */
    public boolean changed() {
        return changed > 0;
    }

    /**
     * Which definitions changed what, for the citation of the rule. It quotes neither value: the earlier one may be
     * redacted, and a citation stays.
     */
    public String changes() {
        return changed > CHANGES_SHOWN ? changes + "; and " + (changed - CHANGES_SHOWN) + " more" : changes.toString();
    }

    /** The definitions as they stand now. */
    public List<LambdaDefined> inForce() {
        return new ArrayList<>(inForce.values());
    }

    private void define(int number, String name, String value, int limit) {
        String key = new KeptText(name).keyIn(inForce, anySealed);
        LambdaDefined old = inForce.remove(key);
        if (old != null && !new KeptText(value).matches(old.getValue())) {
            changed++;
            if (changed <= CHANGES_SHOWN) {
                changes.append(changed == 1 ? "" : "; ")
                        .append("definition ")
                        .append(number)
                        .append(" changes the value set ")
                        .append(
                                old.getSequence() == null
                                        ? "by an earlier message"
                                        : "at sequence " + old.getSequence());
            }
        }
        if (inForce.size() == limit) {
            Iterator<String> oldest = inForce.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        String kept = KeptText.keep(name);
        inForce.put(kept, new LambdaDefined(kept, KeptText.keep(value), sequence));
    }
}
