package dev.parley.dialogue.lambda;

import dev.parley.avro.ConversationItem;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDefinition;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.RememberedItems;
import dev.parley.dialogue.RememberedItems.Found;
import dev.parley.dialogue.RememberedItems.Items;
import dev.parley.dialogue.RememberedItems.Touch;
import dev.parley.dialogue.StateBytes;
import dev.parley.dialogue.StoredText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Remembered definitions of a Λ conversation (docs/protocols.md L26). Immutable and thread-safe. */
final class LambdaDefinitions {
    /** Maximum number of changes that a citation names; the audit record contains the whole message. */
    private static final int CHANGES_SHOWN = 8;

    private final RememberedItems<LambdaDefined> remembered;

    LambdaDefinitions(int maxDefinitions) {
        this.remembered = new RememberedItems<>(new Form(), maxDefinitions);
    }

    /**
     * Result of the definitions of a message.
     *
     * @param items the definitions after it
     * @param changed number of definitions that got another value
     * @param changes describes the changed definitions for the citation. It quotes no values: the earlier one may be
     *     redacted, and a citation is permanent
     */
    record Made(Items<LambdaDefined> items, int changed, String changes) {}

    /**
     * Applies the definitions of a message.
     *
     * @param before definitions before the message; not changed
     * @param made definitions of the message, in order
     * @param sequence sequence of the message's audit record
     */
    Made define(Items<LambdaDefined> before, List<LambdaDefinition> made, long sequence) {
        Map<String, Found<LambdaDefined>> found = new HashMap<>();
        Map<String, LambdaDefined> latest = new LinkedHashMap<>();
        StringBuilder changes = new StringBuilder();
        int changed = 0;
        int number = 0;
        for (LambdaDefinition definition : made) {
            number++;
            String key = StoredText.key(definition.getName());
            LambdaDefined old = latest.remove(key);
            if (old == null) {
                LambdaDefined recent = find(before.recent(), definition.getName());
                found.put(key, remembered.find(recent, before.older(), () -> key));
                old = found.get(key).stored();
            }
            if (old != null && !new StoredText(definition.getValue()).matches(old.getValue())) {
                changed++;
                if (changed <= CHANGES_SHOWN) {
                    changes.append(changed == 1 ? "" : "; ")
                            .append("definition " + number + " changes the value set at sequence " + old.getSequence());
                }
            }
            String name = StoredText.encode(definition.getName());
            latest.put(key, new LambdaDefined(name, StoredText.encode(definition.getValue()), sequence));
        }
        if (changed > CHANGES_SHOWN) {
            changes.append("; and " + (changed - CHANGES_SHOWN) + " more");
        }
        List<Touch<LambdaDefined>> touches = new ArrayList<>(latest.size());
        latest.forEach((key, defined) -> touches.add(new Touch<>(found.get(key), defined)));
        return new Made(remembered.touch(before, touches, sequence), changed, changes.toString());
    }

    private static LambdaDefined find(List<LambdaDefined> recent, String name) {
        StoredText wanted = new StoredText(name);
        for (LambdaDefined defined : recent) {
            if (wanted.matches(defined.getName())) {
                return defined;
            }
        }
        return null;
    }

    OlderItems withHashes(OlderItems older) {
        return remembered.replaceAll(older, LambdaDefinitions::withHashes);
    }

    /** Returns the definition with hashes in place of texts. */
    static LambdaDefined withHashes(LambdaDefined defined) {
        return new LambdaDefined(
                StoredText.hash(defined.getName()), StoredText.hash(defined.getValue()), defined.getSequence());
    }

    /** Stored definitions. The sequence is their order, and gloss reads their values. */
    private static final class Form implements RememberedItems.Form<LambdaDefined> {
        /** Bytes of the sequence and the lengths. */
        private static final int BYTES = 16;

        @Override
        public String key(LambdaDefined defined) {
            return StoredText.keyOfStored(defined.getName());
        }

        @Override
        public ConversationItem write(LambdaDefined defined, long order) {
            return new ConversationItem(null, null, defined, null, null, 0L);
        }

        @Override
        public LambdaDefined read(ConversationItem stored) {
            return stored.getDefinition();
        }

        @Override
        public long order(LambdaDefined defined, ConversationItem stored) {
            return defined.getSequence();
        }

        @Override
        public int bytes(LambdaDefined defined) {
            return BYTES + StateBytes.of(defined.getName()) + StateBytes.of(defined.getValue());
        }
    }
}
