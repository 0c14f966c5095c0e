package dev.parley.conformance;

import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judge;
import dev.parley.protocol.Protocols;
import dev.parley.stage.JudgedRecord;

/** Name of the dialogue state that a message belongs to, as in the tables of docs/protocols.md. */
final class DialogueStateName {
    private static final Judge JUDGE = Protocols.STANDARD.judge(DialogueSettings.DEFAULT);

    private DialogueStateName() {}

    /** Returns the dialogue state after the message; null for an undecodable record. */
    static String after(JudgedRecord record) {
        return record.message() == null
                ? null
                : JUDGE.positionOf(record.judgement().next(), record.message());
    }
}
