package dev.parley.codec;

import dev.parley.avro.Performative;
import dev.parley.avro.Reference;
import java.util.List;

/**
 * What a message says about itself, in the terms that all protocols share.
 *
 * @param conversation the conversation that the message names, or null when its protocol carries none (the record then supplies it)
 * @param sender who speaks, or null when the message does not say
 * @param senderHint who speaks according to a transcript's label, used when neither message nor record says; or null
 * @param recipients who is spoken to, in wire order; empty when the message does not say
 * @param performative what the message does
 * @param replyTo task or message that this one answers, or null
 * @param references other things that the message names
 */
public record Traits(
        String conversation,
        String sender,
        String senderHint,
        List<String> recipients,
        Performative performative,
        String replyTo,
        List<Reference> references) {}
