package dev.parley.gloss;

import dev.parley.avro.AgentMessage;
import dev.parley.decode.WireProtocol;

/** Writes the glosses of one protocol. Pure; for any number of threads. */
@FunctionalInterface
public interface Glosser {

    /**
     * Describes a message by its envelope alone: sender, recipients, protocol and performative. The glosser of a
     * protocol that brings none.
     */
    Glosser PLAIN = (message, definitions, sentence) -> {
        sentence.value(message.getSender() == null ? "An agent" : message.getSender());
        sentence.add(" sends ");
        if (message.getRecipients() != null && !message.getRecipients().isEmpty()) {
            sentence.values(message.getRecipients()).add(" ");
        }
        sentence.add("a message of ").value(WireProtocol.nameOf(message));
        if (message.getPerformative() != null) {
            sentence.add(" (").value(message.getPerformative()).add(")");
        }
    };

    /**
     * Writes the gloss of a message.
     *
     * @param message an envelope with a message of this glosser's protocol; other fields may be null
     * @param definitions the definitions in force before the message
     * @param sentence takes the gloss; escapes and bounds what it is given
     */
    void write(AgentMessage message, Definitions definitions, Sentence sentence);
}
