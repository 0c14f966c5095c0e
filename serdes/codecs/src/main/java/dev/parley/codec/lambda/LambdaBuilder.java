package dev.parley.codec.lambda;

import dev.parley.avro.LambdaContext;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.LambdaTrust;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Builds Λ v0.6 messages from the parts of the protocol layer. Bodies have their wire form, because their vocabulary is
 * open; {@link #quote} makes a string of any text.
 *
 * <pre>{@code
 * LambdaMessage question = LambdaBuilder.message().to("A1").context("ctx", "auth").ask("Uc/la").build();
 * }</pre>
 *
 * <p>A part that the strict profile would not decode as exactly that part causes an {@link IllegalArgumentException} in
 * the call with it; the message says what it would decode to, or where it is wrong. Null causes a
 * {@link NullPointerException}. Insignificant white space is dropped. A built message decodes to an equal message under
 * the strict profile. A builder can build any number of messages and is not thread-safe.
 */
public final class LambdaBuilder {
    private final LambdaMessage message = MessageParser.empty();
    private boolean checksum;

    private LambdaBuilder() {
        message.setContexts(new ArrayList<>());
        message.setStatements(new ArrayList<>());
    }

    public static LambdaBuilder message() {
        return new LambdaBuilder();
    }

    /**
     * Starts a message with an opaque payload instead of statements.
     *
     * @param payload any text that no bracket ends early; never parsed
     */
    public static LambdaBuilder encrypted(String algorithm, String payload) {
        LambdaBuilder builder = new LambdaBuilder().context("enc", algorithm);
        builder.message.setEncrypted(LambdaParts.payload(builder.message.getContexts(), payload));
        return builder;
    }

    /** Quotes and escapes a text as a wire string. */
    public static String quote(String text) {
        return Quoted.quote(text);
    }

    /** Adds the header {@code @v0.6}. */
    public LambdaBuilder header() {
        message.setVersion(LambdaParts.VERSION);
        return this;
    }

    /** Adds the header with a message ID: letters, digits and underscores, with single hyphens between them. */
    public LambdaBuilder id(String id) {
        LambdaParts.requireId(id);
        message.setId(id);
        message.setHeaderId(true);
        return header();
    }

    /** Adds the header with the handshake mark. */
    public LambdaBuilder handshake() {
        message.setHandshake(true);
        message.setHandshakeReply(false);
        return header();
    }

    /** Adds the header with the handshake reply mark. */
    public LambdaBuilder handshakeReply() {
        message.setHandshake(false);
        message.setHandshakeReply(true);
        return header();
    }

    /**
     * Sets the addressees. Each is an upper-case letter, then letters, digits and underscores, and an optional star; or
     * a star for all.
     */
    public LambdaBuilder to(String... agents) {
        message.setAddress(LambdaParts.agents("address", 1, agents));
        return this;
    }

    /** Sets the agents that relay the message, two or more. */
    public LambdaBuilder relay(String... agents) {
        message.setRelay(LambdaParts.agents("relay", 2, agents));
        return this;
    }

    /** Sets the trust prefix; not UNKNOWN. */
    public LambdaBuilder trust(LambdaTrust trust) {
        CanonicalWriter.symbol(trust);
        message.setTrust(trust);
        return this;
    }

    /** Sets the floor mark before the statements; not UNKNOWN. */
    public LambdaBuilder floorBefore(LambdaFloor floor) {
        CanonicalWriter.symbol(floor);
        message.setFloorBefore(floor);
        return this;
    }

    /** Sets the floor mark after the statements; not UNKNOWN. */
    public LambdaBuilder floorAfter(LambdaFloor floor) {
        CanonicalWriter.symbol(floor);
        message.setFloorAfter(floor);
        return this;
    }

    /** Adds a context block with one entry after the existing ones. */
    public LambdaBuilder context(String key, String value) {
        LambdaEntry entry = entryOf(key, value);
        message.getContexts().add(new LambdaContext(new ArrayList<>(List.of(entry))));
        return this;
    }

    /** Adds an entry to the last context block, or to a new one if there is none. */
    public LambdaBuilder entry(String key, String value) {
        List<LambdaContext> contexts = message.getContexts();
        if (contexts.isEmpty()) {
            return context(key, value);
        }
        contexts.get(contexts.size() - 1).getEntries().add(entryOf(key, value));
        return this;
    }

    private static LambdaEntry entryOf(String key, String value) {
        return LambdaParts.entry(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    }

    /** Adds a context block that defines a name for a text. */
    public LambdaBuilder define(String name, String text) {
        Objects.requireNonNull(name, "name");
        return context("def", name + '=' + quote(text));
    }

    /** {@code ?}: adds a question. */
    public LambdaBuilder ask(String body) {
        return statement(LambdaStatementKind.ASK, body);
    }

    /** {@code !}: adds an assertion. */
    public LambdaBuilder state(String body) {
        return statement(LambdaStatementKind.ASSERT, body);
    }

    /** {@code .}: adds a command. */
    public LambdaBuilder command(String body) {
        return statement(LambdaStatementKind.COMMAND, body);
    }

    /** {@code >}: adds an offer. */
    public LambdaBuilder offer(String body) {
        return statement(LambdaStatementKind.OFFER, body);
    }

    /** {@code <}: adds an acknowledgment of the argument, which may be empty. */
    public LambdaBuilder ack(String argument) {
        return statement(LambdaStatementKind.ACK, argument);
    }

    /** {@code <+}: adds an agreement; the argument may be empty. */
    public LambdaBuilder agree(String argument) {
        return statement(LambdaStatementKind.AGREE, argument);
    }

    /** {@code <-}: adds a disagreement; the argument may be empty. */
    public LambdaBuilder disagree(String argument) {
        return statement(LambdaStatementKind.DISAGREE, argument);
    }

    /**
     * {@code !er:}: adds an error with a code of Λ v0.6: {@code pa}, {@code un}, {@code cx}, {@code to} or {@code ov}.
     */
    public LambdaBuilder error(String code) {
        return statement(LambdaStatementKind.ERROR, "er:" + Objects.requireNonNull(code, "code"));
    }

    /** Adds an error as {@link #error(String)} does, with a detail. */
    public LambdaBuilder error(String code, String detail) {
        Objects.requireNonNull(code, "code");
        return statement(LambdaStatementKind.ERROR, "er:" + code + '/' + Objects.requireNonNull(detail, "detail"));
    }

    /** Adds a list, a table or an object as a statement. */
    public LambdaBuilder data(String structure) {
        return statement(LambdaStatementKind.DATA, structure);
    }

    /**
     * Adds a statement of any kind after the existing ones.
     *
     * @param kind not UNKNOWN
     * @param body text after the symbol of the kind; for an ERROR, text after {@code !}
     */
    public LambdaBuilder statement(LambdaStatementKind kind, String body) {
        if (message.getEncrypted() != null) {
            throw LambdaParts.refused("statements: must be absent in a message with a payload");
        }
        Objects.requireNonNull(body, "body");
        LambdaStatement statement = LambdaParts.statement(kind, body);
        message.getStatements().add(statement);
        return this;
    }

    /** Adds the checksum, computed by {@link #build}. Requires a statement or a context. */
    public LambdaBuilder checksum() {
        if (message.getEncrypted() != null) {
            throw LambdaParts.refused("checksum: must be absent in a message with a payload");
        }
        checksum = true;
        return this;
    }

    /**
     * Builds the message.
     *
     * @throws IllegalArgumentException if the message is empty, if its parts together decode differently than each
     *     alone (such as a context without a reserved key and without a statement), or if it exceeds
     *     {@link dev.parley.codec.Limits#DEFAULT}
     */
    public LambdaMessage build() {
        message.setChecksum(checksum ? CanonicalWriter.characters(message.getStatements()) : null);
        return LambdaParts.together(message);
    }
}
