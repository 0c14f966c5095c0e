package dev.parley.decode;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Source;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Traits;
import dev.parley.decode.RecordDecodeResult.Undecodable;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/** A decoded message that is not in its envelope yet: its conversation and its sender are known. */
public final class RoutedMessage implements RecordRoute {
    private final ConversationKey conversation;
    private final Content<?> content;
    private final String claimedSender;

    /**
     * A message.
     *
     * @param conversation the conversation that the message or else its record names
     * @param content the decoded message
     * @param claimedSender the sender that the header names; null without the header
     */
    RoutedMessage(ConversationKey conversation, Content<?> content, String claimedSender) {
        this.conversation = conversation;
        this.content = content;
        this.claimedSender = claimedSender;
    }

    public ConversationKey conversation() {
        return conversation;
    }

    /** The sender that the message names, else the header, else a transcript's label; null without any. */
    public String sender() {
        if (content.traits().sender() != null) {
            return content.traits().sender();
        }
        return claimedSender != null ? claimedSender : content.traits().senderHint();
    }

    /** Whether message and header name different senders. */
    boolean isSenderContradicted() {
        return claimedSender != null
                && content.traits().sender() != null
                && !claimedSender.equals(content.traits().sender());
    }

    Content<?> content() {
        return content;
    }

    @Override
    public ConversationKey chain(Source source) {
        return conversation;
    }

    @Override
    public <R> R map(Function<RoutedMessage, R> message, Function<Undecodable, R> error) {
        return message.apply(this);
    }

    /**
     * A decoded message of one protocol.
     *
     * @param <M> the generated record of the message
     * @param decoded the message with its warnings and violations
     * @param traits properties of the message
     */
    record Content<M extends SpecificRecord>(WireProtocol<M> protocol, DecodeResult.Decoded<M> decoded, Traits traits) {

        /** Sets the message and its protocol in an envelope. */
        void putInto(AgentMessage envelope) {
            protocol.put(envelope, decoded.message());
        }
    }
}
