package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaDefinition;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaTrust;
import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.avro.Schema;

/**
 * Reads and writes Λ v0.6 (docs/protocols.md 4). Parses the protocol layer in full, and keeps bodies as tokens.
 *
 * <p>The canonical form omits a transcript's sender label and a byte order mark, which are not part of a message. So
 * the record of a labeled message and the record of its canonical form differ in {@code label}, and in nothing else.
 */
public final class LambdaCodec implements WireCodec<LambdaMessage> {

    /** Any decoded message may be encoded, whatever its decode limits were. */
    private static final DecodeOptions UNLIMITED = new DecodeOptions(Profile.LENIENT, Limits.NONE);

    /** Keys of contexts for encryption, and for what the prefix prv: means. */
    private static final Set<String> PRIVATE_KEYS = Set.of("enc", "prv", "private");

    /** Sender and receiver of a message, not its content. */
    private static final Set<String> PUBLIC_FIELDS = Set.of(
            "kind",
            "version",
            "id",
            "headerId",
            "handshake",
            "handshakeReply",
            "address",
            "relay",
            "trust",
            "label",
            "encryption");

    /** Creates a codec, which is stateless. */
    public LambdaCodec() {}

    @Override
    public Protocol protocol() {
        return Protocol.LAMBDA;
    }

    @Override
    public boolean detects(byte[] wire, int from) {
        return LambdaDetection.detects(wire, from);
    }

    /** Messages with the trust prefix "prv:" (Λ v0.6 §7.3) or its word in a context, and encrypted ones (§7.2). */
    @Override
    public boolean marksPrivate() {
        return true;
    }

    @Override
    public Set<String> publicFields() {
        return PUBLIC_FIELDS;
    }

    @Override
    public boolean isPrivate(LambdaMessage message) {
        return message.getTrust() == LambdaTrust.PRIVATE
                || message.getEncrypted() != null
                || message.getContexts().stream()
                        .flatMap(context -> context.getEntries().stream())
                        .anyMatch(entry -> PRIVATE_KEYS.contains(entry.getKey()));
    }

    @Override
    public void identifiers(LambdaMessage message, BiConsumer<String, String> check) {
        check.accept("label", message.getLabel());
        check.accept("message", message.getId());
        check.accept("version", message.getVersion());
        message.getAddress().forEach(agent -> check.accept("recipient", agent));
        message.getRelay().forEach(agent -> check.accept("relay", agent));
        for (LambdaDefinition definition : message.getDefinitions()) {
            check.accept("definition", definition.getName());
        }
        for (LambdaStatement statement : message.getStatements()) {
            check.accept("acknowledged", statement.getArgument());
        }
    }

    @Override
    public DecodeResult<LambdaMessage> decode(byte[] wire, DecodeOptions options) {
        return LambdaDecoder.decode(wire, options, false);
    }

    @Override
    public DecodeResult<LambdaMessage> decodeDetected(byte[] wire, RecordHeaders headers, DecodeOptions options) {
        return LambdaDecoder.decode(wire, options, true);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Writes the texts of contexts, tokens and payloads unchanged. Does not check whether the bytes decode to the
     * message.
     */
    @Override
    public byte[] encode(LambdaMessage message) {
        return CanonicalWriter.write(message).getBytes(UTF_8);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Also costs a {@link #decode}, because only decoding determines where a text ends.
     */
    @Override
    public byte[] encodeChecked(LambdaMessage message) {
        byte[] wire = WireCodec.super.encodeChecked(message);
        DecodeResult<LambdaMessage> read = decode(wire, UNLIMITED);
        if (read instanceof DecodeResult.Malformed<LambdaMessage> error) {
            throw new IllegalArgumentException("message: its canonical form cannot be decoded: " + error.code()
                    + " at byte " + error.offset() + ": " + error.detail());
        }
        requireSame(message, ((DecodeResult.Decoded<LambdaMessage>) read).message());
        return wire;
    }

    private static void requireSame(LambdaMessage message, LambdaMessage read) {
        read.setLabel(message.getLabel());
        for (Schema.Field field : message.getSchema().getFields()) {
            Object written = message.get(field.pos());
            Object again = read.get(field.pos());
            if (!Objects.equals(written, again)) {
                throw new IllegalArgumentException(field.name() + ": " + Excerpt.of(String.valueOf(written))
                        + " would decode as " + Excerpt.of(String.valueOf(again)));
            }
        }
    }

    /** Returns a statement as canonically written. */
    public static String text(LambdaStatement statement) {
        LambdaMessage alone = MessageParser.empty();
        alone.setStatements(List.of(statement));
        return CanonicalWriter.write(alone);
    }

    /** Returns the number of characters that the checksum of a message must name (docs/protocols.md L1). */
    public static int checksum(LambdaMessage message) {
        return CanonicalWriter.characters(message.getStatements());
    }

    /**
     * Returns a sentence about the first row of a table that has not as many cells as the first one.
     *
     * @param wire a message with the violation LAMBDA_TABLE_RAGGED
     */
    public static String raggedRow(byte[] wire) {
        return LambdaDecoder.raggedRow(wire);
    }

    /**
     * {@inheritDoc}
     *
     * <p>A label that names an agent is a sender hint. The recipients are the addressees; for a relay, its agents
     * after the first. A handshake reply replies to {@code h}. The message's ID is the reference {@code message}, and
     * the code of each error is a reference {@code error}.
     */
    @Override
    public Traits traits(LambdaMessage message) {
        List<String> relay = message.getRelay();
        List<String> recipients = message.getAddress().isEmpty() && !relay.isEmpty()
                ? List.copyOf(relay.subList(1, relay.size()))
                : List.copyOf(message.getAddress());
        String label = message.getLabel();
        return new Traits(
                null,
                null,
                label != null && Alphabet.isAgent(label) ? label : null,
                recipients,
                performative(message),
                message.getHandshakeReply() ? "h" : null,
                references(message));
    }

    /** Derives the performative from the kind of the message, or else from its first statement. */
    private static Performative performative(LambdaMessage message) {
        return switch (message.getKind()) {
            case HANDSHAKE, HANDSHAKE_REPLY, FLOOR -> Performative.CONTROL;
            case CONTEXT_ONLY -> Performative.CONTEXT;
            case DATA_ONLY, ENCRYPTED -> Performative.ASSERT;
            case STATEMENTS -> performative(message.getStatements().get(0).getKind());
            case UNKNOWN -> Performative.UNSPECIFIED;
        };
    }

    private static Performative performative(LambdaStatementKind first) {
        return switch (first) {
            case ASK, CLARIFY -> Performative.ASK;
            case ASSERT, SUPPOSE, DATA, REFERENCE -> Performative.ASSERT;
            case COMMAND -> Performative.REQUEST;
            case OFFER, COUNTER -> Performative.PROPOSE;
            case ACK, ACK_URGENT -> Performative.ACKNOWLEDGE;
            case AGREE -> Performative.ACCEPT;
            case DISAGREE -> Performative.REJECT;
            case ERROR -> Performative.FAILURE;
            case META -> Performative.CONTROL;
            case UNKNOWN -> Performative.UNSPECIFIED;
        };
    }

    /** The message's ID and the codes of its errors. */
    private static List<Reference> references(LambdaMessage message) {
        // Most messages have none.
        List<Reference> references = new ArrayList<>(0);
        if (message.getId() != null) {
            references.add(new Reference("message", message.getId()));
        }
        for (LambdaStatement statement : message.getStatements()) {
            if (statement.getKind() == LambdaStatementKind.ERROR) {
                references.add(new Reference("error", statement.getErrorCode()));
            }
        }
        return references;
    }
}
