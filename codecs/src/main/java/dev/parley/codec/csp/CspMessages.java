package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import java.util.List;

/**
 * Starts CSP/1 messages that can be written and read back: the header that several messages share, and from it a builder for each body block.
 *
 * <pre>{@code
 * CspMessages fromAdaToBob = CspMessages.of("ada", "bob", "C0");
 * CspMessage patch = fromAdaToBob.patch("P1", "C0", "C1").add("GOAL", "ship").build();
 * }</pre>
 *
 * <p>A value that CSP/1 cannot say, because it would read back as another one, is refused where it is given, by an
 * {@link IllegalArgumentException} that names the field, the rule and where in the value it is broken; null by a {@link NullPointerException}.
 * What is built decodes to an equal message under the strict profile; with keys that CSP/1 does not define, under the lenient one. {@code build}
 * fails when the block lacks a key that it cannot do without, and when the message is larger than {@link dev.parley.codec.Limits#DEFAULT}
 * allows.
 *
 * <p>This class is immutable. A builder can build any number of messages; it is for one thread.
 */
public final class CspMessages {
    private final String sender;
    private final String recipient;
    private final String ctx;

    private CspMessages(String sender, String recipient, String ctx) {
        CspChecks.header(CspHeader.Key.FROM, sender);
        CspChecks.header(CspHeader.Key.TO, recipient);
        CspChecks.header(CspHeader.Key.CTX, ctx);
        this.sender = sender;
        this.recipient = recipient;
        this.ctx = ctx;
    }

    /**
     * Messages with this header.
     *
     * @param from who speaks
     * @param to who is spoken to; several agents are separated by commas
     * @param ctx the state that the messages speak of, such as {@code C0}
     */
    public static CspMessages of(String from, String to, String ctx) {
        return new CspMessages(from, to, ctx);
    }

    /**
     * A TASK. It needs {@code scope}, {@code output}, {@code owner} and {@code priority} besides.
     *
     * @param id one word, such as {@code T001}
     * @param request REQ: what to do; not empty
     */
    public CspTaskBuilder task(String id, String request) {
        return new CspTaskBuilder(header(CspBlock.TASK, id), request);
    }

    /**
     * The RESULT of a task. It needs {@code produced} and {@code data} besides.
     *
     * @param task the task's id
     * @param status OK, PARTIAL or FAIL
     */
    public CspResultBuilder result(String task, String status) {
        return new CspResultBuilder(header(CspBlock.RESULT, task), status);
    }

    /**
     * An ERROR.
     *
     * @param id one word, such as {@code E001}
     * @param at AT: the task that it is about
     */
    public CspErrorBuilder error(String id, String at) {
        return new CspErrorBuilder(header(CspBlock.ERROR, id), at);
    }

    /**
     * A PATCH. It needs at least one operation.
     *
     * @param id one word, such as {@code P001}
     * @param base BASE: the checkpoint that it changes; not empty
     * @param target APPLY: the checkpoint that it makes, one word; another than the base
     */
    public CspPatchBuilder patch(String id, String base, String target) {
        return new CspPatchBuilder(header(CspBlock.PATCH, id), base, target);
    }

    /**
     * A FILE message with its FILEOP block, which patches a file.
     *
     * @param id one word, such as {@code F001}
     * @param path PATH: the file
     * @param base BASE: a hash of what the patch is made for
     * @param content CONTENT: the lines of the patch, kept byte for byte; no line may be {@code >>>}
     */
    public CspFileBuilder file(String id, String path, String base, String content) {
        return new CspFileBuilder(header(CspBlock.FILEOP, id), path, base, content);
    }

    /** A PLAN, whose body has no grammar. */
    public CspFreeBuilder plan() {
        return new CspFreeBuilder(header(CspBlock.PLAN, null), CspBlock.PLAN);
    }

    /** A QUERY, whose body has no grammar. */
    public CspFreeBuilder query() {
        return new CspFreeBuilder(header(CspBlock.QUERY, null), CspBlock.QUERY);
    }

    /** A MEM, whose body has no grammar. */
    public CspFreeBuilder mem() {
        return new CspFreeBuilder(header(CspBlock.MEM, null), CspBlock.MEM);
    }

    private CspMessage header(CspBlock block, String id) {
        CspMessage message = new CspMessage();
        message.setSender(sender);
        message.setRecipient(recipient);
        message.setCtx(ctx);
        message.setIntent(block.intent());
        message.setId(block.isGeneric() ? null : CspText.word("id", id));
        message.setOperations(List.of());
        message.setKeyOrder(List.of());
        return message;
    }
}
