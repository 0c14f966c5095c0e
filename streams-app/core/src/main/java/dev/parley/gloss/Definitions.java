package dev.parley.gloss;

import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.dialogue.StoredText;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** The definitions in force in a conversation, which a gloss expands. */
@FunctionalInterface
public interface Definitions {

    Definitions NONE = name -> null;

    /** The value of a name; null if it is not defined. */
    String valueOf(String name);

    /**
     * The definitions in a dialogue state: those of Λ. The states of the other protocols have none; a CSP context keeps
     * its own in checkpoints. Definitions that were sealed by a redaction are left out.
     *
     * @param dialogue the dialogue state of any protocol; null if there is none
     */
    static Definitions inState(SpecificRecord dialogue) {
        if (!(dialogue instanceof LambdaDialogue lambda)) {
            return NONE;
        }
        List<LambdaDefined> inForce = lambda.getDefinitions();
        return name -> {
            for (LambdaDefined defined : inForce) {
                if (defined.getName().equals(name)) {
                    return StoredText.isHash(name) || StoredText.isHash(defined.getValue()) ? null : defined.getValue();
                }
            }
            return null;
        };
    }
}
