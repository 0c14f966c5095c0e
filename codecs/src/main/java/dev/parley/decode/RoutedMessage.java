package dev.parley.decode;

import dev.parley.avro.Source;
import java.util.function.Function;

/** A decoded message that is not in its envelope yet: its conversation and its sender are known. */
public final class RoutedMessage implements RecordRoute {
    private final ConversationKey conversation;
    private final Codecs.Opened opened;
    private final String claimedSender;

    /**
     * A message.
     *
     * @param conversation the conversation that the message or else its record names
     * @param opened the decoded message
     * @param claimedSender the sender that the header names; null without the header
     */
    RoutedMessage(ConversationKey conversation, Codecs.Opened opened, String claimedSender) {
        this.conversation = conversation;
        this.opened = opened;
        this.claimedSender = claimedSender;
    }

    /** The conversation of the message. */
    public ConversationKey conversation() {
        return conversation;
    }

    /** The sender that the message names, else the header, else a transcript's label; null without any. */
    public String sender() {
        if (opened.traits().sender() != null) {
            return opened.traits().sender();
        }
        return claimedSender != null ? claimedSender : opened.traits().senderHint();
    }

    /** Whether message and header name different senders. */
    boolean isSenderContradicted() {
        return claimedSender != null
                && opened.traits().sender() != null
                && !claimedSender.equals(opened.traits().sender());
    }

    Codecs.Opened opened() {
        return opened;
    }

    @Override
    public ConversationKey chain(Source source) {
        return conversation;
    }

    @Override
    public <R> R map(Function<RoutedMessage, R> message, Function<Decoding.Undecodable, R> fault) {
        return message.apply(this);
    }
}
