package dev.parley.decode;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.TrustedRecords;
import dev.parley.codec.WireCodec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Wire part of a protocol: its name, its codec, and the place of its messages in the envelope. What else bears the
 * protocol's name follows from it: chain keys, codes ({@code NAME_...}), and the input topic
 * ({@code parley.wire.name}). Immutable; for any number of threads.
 *
 * @param <M> the generated record of its messages
 * @param name name in upper case, as in chain keys
 * @param title name for people, such as CSP/1
 * @param symbol symbol in Avro records; EXTENSION for a protocol without one of its own
 * @param headerNames names by which headers and options choose it, in lower case, the usual one first
 * @param type the generated record of its messages
 * @param codec its codec, which also detects its messages
 * @param getter reads its message from an envelope
 * @param setter writes its message into an envelope
 */
public record WireProtocol<M extends SpecificRecord>(
        String name,
        String title,
        Protocol symbol,
        List<String> headerNames,
        Class<M> type,
        WireCodec<M> codec,
        Function<AgentMessage, M> getter,
        BiConsumer<AgentMessage, M> setter) {
    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it has other characters than letters in upper case, digits and underscores
     */
    public WireProtocol {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "The name of a protocol must be letters in upper case, digits and underscores, but was '" + name
                            + "'.");
        }
        headerNames = List.copyOf(headerNames);
    }

    /**
     * A protocol with a symbol in {@link Protocol} and a field in the envelope.
     *
     * @param title name for people
     * @param headerNames names by which headers and options choose it, in lower case, the usual one first
     * @param type the generated record of its messages
     * @param codec its codec, which also detects its messages
     * @param getter reads its field of the envelope
     * @param setter writes that field
     */
    static <M extends SpecificRecord> WireProtocol<M> of(
            String title,
            List<String> headerNames,
            Class<M> type,
            WireCodec<M> codec,
            Function<AgentMessage, M> getter,
            BiConsumer<AgentMessage, M> setter) {
        return new WireProtocol<>(
                codec.protocol().name(), title, codec.protocol(), headerNames, type, codec, getter, setter);
    }

    /**
     * A protocol whose messages are in the envelope's field {@code extension}.
     *
     * @param name its name in upper case, such as {@code PING}; in lower case headers, options and its topic bear it
     * @param codec its codec, which also detects its messages
     * @param type the generated record of its messages
     * @param earlier schemas with which earlier versions wrote that record
     */
    public static <M extends SpecificRecord> WireProtocol<M> extension(
            String name, WireCodec<M> codec, Class<M> type, Schema... earlier) {
        ExtensionForm<M> form = new ExtensionForm<>(name, type, List.of(earlier));
        return new WireProtocol<>(
                name,
                name,
                Protocol.EXTENSION,
                List.of(name.toLowerCase(Locale.ROOT)),
                type,
                codec,
                envelope -> form.read(envelope.getExtension()),
                (envelope, message) -> envelope.setExtension(form.write(message)));
    }

    /** Part of the name of its own input topic, {@code parley.wire.} + this. */
    public String topicSuffix() {
        return headerNames.get(0);
    }

    /**
     * The message in an envelope of this protocol. Decodes the body of an extension at each call.
     *
     * @return null if the envelope is another protocol's
     */
    public M message(AgentMessage envelope) {
        return getter.apply(envelope);
    }

    /** Puts a message into an envelope, with its protocol. */
    public void put(AgentMessage envelope, M message) {
        envelope.setProtocol(symbol.name());
        setter.accept(envelope, message);
    }

    /** Puts a message that the codec of this protocol decoded into an envelope. */
    @SuppressWarnings("unchecked")
    void putDecoded(AgentMessage envelope, SpecificRecord message) {
        put(envelope, (M) message);
    }

    /**
     * Copies the message of an envelope into another, with the fields alone that callers without the right to see its
     * content see; nothing if there are none.
     */
    public void copyPublic(AgentMessage from, AgentMessage to) {
        M message = codec.publicFields().isEmpty() ? null : message(from);
        if (message == null) {
            return;
        }
        TrustedRecords.trust();
        M shown = type.cast(SpecificData.get().newRecord(null, message.getSchema()));
        for (Schema.Field field : message.getSchema().getFields()) {
            if (codec.publicFields().contains(field.name())) {
                shown.put(field.pos(), message.get(field.pos()));
            }
        }
        setter.accept(to, shown);
    }

    /**
     * Reads the message of an envelope again from other bytes and headers.
     *
     * @return a copy of the envelope with them, the message and its references; null if they are not a message
     */
    public AgentMessage reread(AgentMessage envelope, byte[] raw, Map<String, String> headers) {
        DecodeOptions options = new DecodeOptions(Profile.LENIENT, Limits.NONE);
        if (!(codec.decode(raw, RecordHeaders.ofText(headers), options) instanceof Decoded<M> decoded)) {
            return null;
        }
        AgentMessage copy = new AgentMessage();
        envelope.getSchema().getFields().forEach(field -> copy.put(field.pos(), envelope.get(field.pos())));
        copy.setRaw(ByteBuffer.wrap(raw));
        copy.setReferences(codec.traits(decoded.message()).references());
        setter.accept(copy, decoded.message());
        return copy;
    }

    /** Returns the record headers that are part of the message in an envelope; see {@link WireCodec#headers}. */
    public Map<String, String> headers(AgentMessage envelope) {
        M message = message(envelope);
        return message == null ? Map.of() : codec.headers(message);
    }

    /** Whether the message in an envelope of this protocol says that it is private; see {@link WireCodec#isPrivate}. */
    public boolean isPrivate(AgentMessage envelope) {
        M message = message(envelope);
        return message != null && codec.isPrivate(message);
    }

    /**
     * Name of the protocol of an envelope, as in chain keys. An envelope that was read from a topic may name any other
     * text.
     */
    public static String nameOf(AgentMessage envelope) {
        return envelope.getExtension() == null
                ? envelope.getProtocol()
                : envelope.getExtension().getProtocol();
    }

    /**
     * Whether the text may be the name of a protocol: a letter in upper case, then more of them, digits and
     * underscores.
     */
    static boolean isName(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean allowed = c >= 'A' && c <= 'Z' || i > 0 && (c >= '0' && c <= '9' || c == '_');
            if (!allowed) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    @Override
    public String toString() {
        return name;
    }
}
