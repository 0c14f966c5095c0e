package dev.parley.conformance;

import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judge;
import dev.parley.protocol.Protocols;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.Outcome;

/** The name of the state, as the tables of the protocol page have it, of the dialogue that a message belongs to. */
final class DialoguePosition {
    private static final Judge JUDGE = Protocols.STANDARD.judge(DialogueSettings.DEFAULT);

    private DialoguePosition() {}

    /** Where the dialogue stands once the message was judged; null for what could not be decoded. */
    static String after(JudgedRecord record) {
        return record.outcome() instanceof Outcome.OfMessage decided
                ? JUDGE.positionOf(decided.judged().next(), decided.judged().message())
                : null;
    }
}
