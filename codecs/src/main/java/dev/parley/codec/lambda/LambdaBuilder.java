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
 * Builds Λ v0.6 messages that can be written and read back, out of the parts that the protocol layer has. Bodies are given as they stand on the
 * wire, because their vocabulary is open; {@link #quote} makes a string of any text.
 *
 * <pre>{@code
 * LambdaMessage question = LambdaBuilder.message().to("A1").context("ctx", "auth").ask("Uc/la").build();
 * }</pre>
 *
 * <p>A part is refused where it is given when the decoder, under the strict profile, would not read it as that part and nothing else, by an
 * {@link IllegalArgumentException} that says what it would read and where; null by a {@link NullPointerException}. White space that means nothing
 * is left out. What is built decodes to an equal message under the strict profile. A builder can build any number of messages; it is for one
 * thread.
 */
public final class LambdaBuilder {
    private final LambdaMessage message = LambdaParts.empty();
    private boolean checksum;

    private LambdaBuilder() {
        message.setContexts(new ArrayList<>());
        message.setStatements(new ArrayList<>());
    }

    /** A message that has nothing yet. */
    public static LambdaBuilder message() {
        return new LambdaBuilder();
    }

    /**
     * A message with an opaque payload in place of statements.
     *
     * @param algorithm what the payload is encrypted with
     * @param payload any text that no bracket ends early; never looked into
     */
    public static LambdaBuilder encrypted(String algorithm, String payload) {
        LambdaBuilder builder = new LambdaBuilder().context("enc", algorithm);
        builder.message.setEncrypted(LambdaParts.payload(builder.message.getContexts(), payload));
        return builder;
    }

    /** A string of the wire, with quotes and escapes, that says a text. */
    public static String quote(String text) {
        return Quoted.quote(text);
    }

    /** The header {@code @v0.6}. */
    public LambdaBuilder header() {
        message.setVersion(LambdaParts.VERSION);
        return this;
    }

    /** The header with a message id: letters, digits, underscores, and single hyphens between them. */
    public LambdaBuilder id(String id) {
        message.setId(LambdaParts.id(id));
        message.setHeaderId(true);
        return header();
    }

    /** The header with the mark of a handshake. */
    public LambdaBuilder handshake() {
        message.setHandshake(true);
        message.setHandshakeReply(false);
        return header();
    }

    /** The header with the mark of a reply to a handshake. */
    public LambdaBuilder handshakeReply() {
        message.setHandshake(false);
        message.setHandshakeReply(true);
        return header();
    }

    /** The addressees: an upper-case letter, letters, digits and underscores, and perhaps a star; or a star for all. */
    public LambdaBuilder to(String... agents) {
        MessageCheck.requireAddress(List.of(agents));
        message.setAddress(List.of(agents));
        return this;
    }

    /** The agents through which the message goes, two or more. */
    public LambdaBuilder relay(String... agents) {
        MessageCheck.requireRelay(List.of(agents));
        message.setRelay(List.of(agents));
        return this;
    }

    /** The trust prefix; not UNKNOWN. */
    public LambdaBuilder trust(LambdaTrust trust) {
        CanonicalWriter.symbol(trust);
        message.setTrust(trust);
        return this;
    }

    /** The floor mark before the statements; not UNKNOWN. */
    public LambdaBuilder floorBefore(LambdaFloor floor) {
        CanonicalWriter.symbol(floor);
        message.setFloorBefore(floor);
        return this;
    }

    /** The floor mark after the statements; not UNKNOWN. */
    public LambdaBuilder floorAfter(LambdaFloor floor) {
        CanonicalWriter.symbol(floor);
        message.setFloorAfter(floor);
        return this;
    }

    /** A context block of one entry, after those that are there. */
    public LambdaBuilder context(String key, String value) {
        LambdaEntry entry = entryOf(key, value);
        message.getContexts().add(new LambdaContext(new ArrayList<>(List.of(entry))));
        return this;
    }

    /** Another entry in the last context block; in a first one, when there is none. */
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

    /** A context block that gives a name to a text. */
    public LambdaBuilder define(String name, String text) {
        Objects.requireNonNull(name, "name");
        return context("def", name + '=' + quote(text));
    }

    /** {@code ?}: a question. */
    public LambdaBuilder ask(String body) {
        return statement(LambdaStatementKind.ASK, body);
    }

    /** {@code !}: an assertion. */
    public LambdaBuilder state(String body) {
        return statement(LambdaStatementKind.ASSERT, body);
    }

    /** {@code .}: a command. */
    public LambdaBuilder command(String body) {
        return statement(LambdaStatementKind.COMMAND, body);
    }

    /** {@code >}: an offer. */
    public LambdaBuilder offer(String body) {
        return statement(LambdaStatementKind.OFFER, body);
    }

    /** {@code <}: an acknowledgement of what the argument names, which may be empty. */
    public LambdaBuilder ack(String argument) {
        return statement(LambdaStatementKind.ACK, argument);
    }

    /** {@code <+}: an agreement; the argument may be empty. */
    public LambdaBuilder agree(String argument) {
        return statement(LambdaStatementKind.AGREE, argument);
    }

    /** {@code <-}: a disagreement; the argument may be empty. */
    public LambdaBuilder disagree(String argument) {
        return statement(LambdaStatementKind.DISAGREE, argument);
    }

    /** {@code !er:}: an error of one of the codes of Λ v0.6, {@code pa}, {@code un}, {@code cx}, {@code to}, {@code ov}. */
    public LambdaBuilder error(String code) {
        return statement(LambdaStatementKind.ERROR, "er:" + Objects.requireNonNull(code, "code"));
    }

    /** As {@link #error(String)}, with what it is about. */
    public LambdaBuilder error(String code, String detail) {
        Objects.requireNonNull(code, "code");
        return statement(LambdaStatementKind.ERROR, "er:" + code + '/' + Objects.requireNonNull(detail, "detail"));
    }

    /** A list, a table or an object that stands as a statement of its own. */
    public LambdaBuilder data(String structure) {
        return statement(LambdaStatementKind.DATA, structure);
    }

    /**
     * A statement of any kind, after those that are there.
     *
     * @param kind not UNKNOWN
     * @param body what stands after the symbol of the kind; of an ERROR what stands after {@code !}
     */
    public LambdaBuilder statement(LambdaStatementKind kind, String body) {
        if (message.getEncrypted() != null) {
            throw LambdaParts.refused("statements: a message with a payload has none");
        }
        Objects.requireNonNull(body, "body");
        LambdaStatement statement = LambdaParts.statement(kind, body);
        message.getStatements().add(statement);
        return this;
    }

    /** The checksum, which is counted when the message is built; it needs a statement or a context. */
    public LambdaBuilder checksum() {
        if (message.getEncrypted() != null) {
            throw LambdaParts.refused("checksum: a message with a payload has none");
        }
        checksum = true;
        return this;
    }

    /**
     * The message.
     *
     * @throws IllegalArgumentException when there is nothing in it, when its parts would be read otherwise together than each alone (such as a
     *     context without a reserved key and without a statement), or when it is larger than {@link dev.parley.codec.Limits#DEFAULT} allows
     */
    public LambdaMessage build() {
        message.setChecksum(checksum ? CanonicalWriter.characters(message.getStatements()) : null);
        return LambdaParts.together(message);
    }
}
