package dev.parley.dialogue;

import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDefinition;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The definitions in force in a Λ conversation (PROTOCOLS L26), least recently made first. Works on its own copy. */
final class LambdaDefinitions {
    /** Changes that are spelled out in a citation, and characters of a value that are; the audit record has the message itself. */
    private static final int CHANGES_SHOWN = 8;

    private static final int VALUE_SHOWN = 200;

    private final Map<String, String> inForce = new LinkedHashMap<>();
    private final StringBuilder changes = new StringBuilder();
    private int changed;

    /**
     * @param before the definitions before the message; not changed
     * @param made what the message defines, in its order
     * @param limit most definitions that are remembered; beyond, the least recently made go first
     */
    LambdaDefinitions(List<LambdaDefined> before, List<LambdaDefinition> made, int limit) {
        for (LambdaDefined defined : before) {
            inForce.put(defined.getName(), defined.getValue());
        }
        for (LambdaDefinition definition : made) {
            define(definition.getName(), definition.getValue(), limit);
        }
    }

    /** Whether a definition was given another value. */
    boolean changed() {
        return changed > 0;
    }

    /** Old and new value of what changed, for the citation of the rule. */
    String changes() {
        return changed > CHANGES_SHOWN ? changes + "; and " + (changed - CHANGES_SHOWN) + " more" : changes.toString();
    }

    /** The definitions as they stand now. */
    List<LambdaDefined> inForce() {
        List<LambdaDefined> list = new ArrayList<>(inForce.size());
        inForce.forEach((name, value) -> list.add(new LambdaDefined(name, value)));
        return list;
    }

    private void define(String name, String value, int limit) {
        String old = inForce.remove(name);
        if (old != null && !old.equals(value)) {
            changed++;
            if (changed <= CHANGES_SHOWN) {
                changes.append(changed == 1 ? "" : "; ")
                        .append(shown(name))
                        .append(" redefined from \"")
                        .append(shown(old))
                        .append("\" to \"")
                        .append(shown(value))
                        .append('"');
            }
        }
        if (inForce.size() == limit) {
            Iterator<String> oldest = inForce.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        inForce.put(name, value);
    }

    private static String shown(String text) {
        if (text.length() <= VALUE_SHOWN) {
            return text;
        }
        boolean insidePair = Character.isHighSurrogate(text.charAt(VALUE_SHOWN - 1));
        return text.substring(0, insidePair ? VALUE_SHOWN - 1 : VALUE_SHOWN) + "…";
    }
}
