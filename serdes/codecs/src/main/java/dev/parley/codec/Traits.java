package dev.parley.codec;

import dev.parley.avro.Performative;
import dev.parley.avro.Reference;
import java.util.List;

/**
 * Properties of a message that all protocols share.
 *
 * @param conversation conversation ID in the message; null if the protocol has none and the record provides it
 * @param sender sending agent; null if the message does not name it
 * @param senderHint sender from a transcript's label, used if neither message nor record names one; or null
 * @param recipients receiving agents, in wire order; empty if the message does not name any
 * @param performative speech act of the message
 * @param replyTo task or message to which this one responds, or null
 * @param references other names in the message
 */
public record Traits(
        String conversation,
        String sender,
        String senderHint,
        List<String> recipients,
        Performative performative,
        String replyTo,
        List<Reference> references) {}
