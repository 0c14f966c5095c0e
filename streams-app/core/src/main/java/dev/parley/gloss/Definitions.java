package dev.parley.gloss;

import dev.parley.avro.ConversationItem;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.dialogue.Dialogue;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.StoredText;

/** The definitions in force in a conversation, which a gloss expands. */
@FunctionalInterface
public interface Definitions {

    Definitions NONE = name -> null;

    /** The value of a name; null if it is not defined. */
    String valueOf(String name);

    /**
     * The definitions in a dialogue: those of Λ. The dialogues of the other protocols have none; a CSP context keeps
     * its own in checkpoints. Definitions that were sealed by a redaction are left out.
     */
    static Definitions in(Dialogue dialogue) {
        if (!(dialogue.state() instanceof LambdaDialogue lambda)) {
            return NONE;
        }
        return name -> {
            LambdaDefined defined = lambda.getDefinitions().stream()
                    .filter(recent -> recent.getName().equals(name))
                    .findFirst()
                    .orElseGet(() -> older(dialogue.olderItems(), name));
            boolean isReadable = defined != null && !StoredText.isHash(name) && !StoredText.isHash(defined.getValue());
            return isReadable ? defined.getValue() : null;
        };
    }

    private static LambdaDefined older(OlderItems items, String name) {
        ConversationItem item = items.count() == 0 ? null : items.get(StoredText.key(name));
        LambdaDefined defined = item == null ? null : item.getDefinition();
        return defined != null && defined.getName().equals(name) ? defined : null;
    }
}
